import type { Fields } from './catalog-object.js';
import { demoFileAt } from './addresses/demo-files.js';
import type { Faults } from './faults.js';
import { KINDS } from './kinds.js';
import type { NamedObject } from './read-catalog.js';

/**
 * Judges the object that an apply would store: missing fields of a new object, and fields that contradict each other.
 * Contract: docs/catalog-file.md#what-is-refused.
 */
export function judgeObject(object: NamedObject, after: Fields, isNew: boolean, faults: Faults): void {
  if (isNew) refuseMissing(object, after, faults);
  if (object.kind === 'campaign') judgeSchedule(object, after, faults);
  if (object.kind === 'creative') {
    judgeDuration(object, after, faults);
    judgeDemoFile(object, after, faults);
  }
  if (object.kind === 'placement') judgeReward(object, after, faults);
}

function refuseMissing(object: NamedObject, after: Fields, faults: Faults): void {
  for (const { name } of KINDS[object.kind].fields) {
    if (after[name] === undefined && !object.faulty.has(name)) {
      faults.add(`${object.path}.${name}`, `is required for a new ${object.kind}`);
    }
  }
}

function judgeSchedule(object: NamedObject, after: Fields, faults: Faults): void {
  const startsAt = after['starts_at'];
  const endsAt = after['ends_at'];
  if (typeof startsAt !== 'string' || typeof endsAt !== 'string') return;
  if (Date.parse(startsAt) >= Date.parse(endsAt)) {
    const field = object.given.has('starts_at') ? 'starts_at' : 'ends_at';
    faults.add(`${object.path}.${field}`, `starts_at ${startsAt} must be before ends_at ${endsAt}`);
  }
}

function judgeDuration(object: NamedObject, after: Fields, faults: Faults): void {
  if (after['type'] !== 'image' || typeof after['duration_seconds'] !== 'number') return;
  faults.add(`${object.path}.duration_seconds`, 'is for videos only; leave it out or write null');
}

function judgeReward(object: NamedObject, after: Fields, faults: Faults): void {
  if (after['format'] === 'rewarded' || (after['reward'] ?? null) === null) return;
  faults.add(`${object.path}.reward`, 'is for rewarded placements only; leave it out or write null');
}

/** A creative with a demo file says nothing else about it than what the file is. What it leaves unknown is fine. */
function judgeDemoFile(object: NamedObject, after: Fields, faults: Faults): void {
  const { url } = after;
  const file = typeof url === 'string' ? demoFileAt(url) : null;
  if (file === null) return;
  const facts = {
    type: file.type,
    width: file.width,
    height: file.height,
    duration_seconds: file.durationSeconds,
  };
  for (const [name, is] of Object.entries(facts)) {
    const said = after[name] ?? null;
    if (said === null || is === null || said === is) continue;
    faults.add(`${object.path}.${name}`, `must be ${is}, as in the demo file of its url`);
  }
}
