import { objectKey, ownIdOf, type Fields, type StoredObject } from '../catalog-object.js';
import { Faults } from '../faults.js';
import type { FieldValue } from '../field-types.js';
import type { ObjectKind } from '../kinds.js';
import type { Change } from '../plan-apply.js';
import type { CatalogFile, NamedObject } from '../read-catalog.js';
import { campaignWarnings, capWarnings } from './campaign-warnings.js';
import { creativeWarnings } from './creative-warnings.js';
import { isNearMiss } from './near-miss.js';
import type { Reason } from './reason.js';

/** The id of a stored object and its place. */
export type PlacedId = Pick<StoredObject, 'kind' | 'id' | 'parentId'>;

/** What the warnings of an apply are judged by. */
export interface WarningFacts {
  /** Stored objects before the apply: those that the file names, creatives of its campaigns, and apps that it targets. */
  readonly stored: readonly StoredObject[];
  readonly changes: readonly Change[];
  /** Stored objects beside new ones, for ids that look alike. */
  readonly siblings: readonly PlacedId[];
  /** Sum of an advertiser's deposits and adjustments in nano-units; undefined when it is not known. */
  fundedNanos(advertiserId: string): bigint | undefined;
  /** Whether an advertiser with live campaigns has used up its balance, or will within two hours. */
  isUsedUp(advertiserId: string): boolean;
  /** Whether `stored` has every app that the file targets. False: apps are known only when the file lists publishers. */
  readonly areAppsKnown: boolean;
  /** Epoch ms. */
  readonly nowMs: number;
}

/**
 * Lines `path: what can never deliver, or not as written, and why`, of the objects that the file names.
 * Contract: docs/contract/catalog.md#warnings.
 */
export function findWarnings(file: CatalogFile, facts: WarningFacts): readonly string[] {
  const after = new AfterApply(facts);
  const warnings = new Faults(undefined, 'warnings');
  for (const object of file.objects) {
    const fields = after.fieldsOf(object.kind, object.id);
    if (fields === undefined) continue;
    for (const [field, text] of reasonsOf(object, fields, after))
      warnings.add(`${object.path}.${field}`, text);
  }
  if (after.isApp === null && file.objects.some(({ given }) => hasApps(given.get('targeting.app_ids'))))
    warnings.add('file', 'lists no app, so the targeted app ids are not checked; apply checks them');
  return warnings.list();
}

function hasApps(ids: FieldValue | undefined): boolean {
  return Array.isArray(ids) && ids.length > 0;
}

/** The catalog as it is after the apply, as far as it is known. */
class AfterApply {
  readonly facts: WarningFacts;
  readonly isApp: ((id: string) => boolean) | null;
  readonly #fields = new Map<string, Fields>();
  readonly #below = new Map<string, Fields[]>();
  readonly #siblings = new Map<string, string[]>();
  readonly #created: ReadonlySet<string>;

  constructor(facts: WarningFacts) {
    this.facts = facts;
    const objects = new Map(facts.stored.map((object) => [objectKey(object.kind, object.id), object]));
    for (const { kind, id, parentId, after } of facts.changes) {
      if (after === null) objects.delete(objectKey(kind, id));
      else objects.set(objectKey(kind, id), { kind, id, parentId, fields: after });
    }
    let hasApps = facts.areAppsKnown;
    for (const [key, { kind, parentId, fields }] of objects) {
      this.#fields.set(key, fields);
      hasApps ||= kind === 'app';
      if (kind === 'creative') push(this.#below, parentId ?? '', fields);
    }
    for (const sibling of facts.siblings) push(this.#siblings, placeOf(sibling), ownIdOf(sibling));
    this.isApp = hasApps ? (id) => this.#fields.has(objectKey('app', id)) : null;
    this.#created = new Set(
      facts.changes.flatMap(({ action, kind, id }) => (action === 'created' ? [objectKey(kind, id)] : [])),
    );
  }

  fieldsOf(kind: ObjectKind, id: string): Fields | undefined {
    return this.#fields.get(objectKey(kind, id));
  }

  creativesOf(campaignId: string): readonly Fields[] {
    return this.#below.get(campaignId) ?? [];
  }

  isCreated({ kind, id }: PlacedId): boolean {
    return this.#created.has(objectKey(kind, id));
  }

  /** The own id of a stored object beside this one that looks like it; undefined when there is none. */
  lookAlike(object: PlacedId): string | undefined {
    const own = ownIdOf(object);
    return this.#siblings.get(placeOf(object))?.find((id) => isNearMiss(id, own));
  }
}

function reasonsOf(object: NamedObject, fields: Fields, after: AfterApply): Reason[] {
  const reasons = lookAlikes(object, after);
  switch (object.kind) {
    case 'advertiser':
      return [...reasons, ...advertiserWarnings(object, fields, after)];
    case 'campaign':
      return [
        ...reasons,
        ...campaignWarnings(fields, {
          creatives: after.creativesOf(object.id),
          isApp: after.isApp,
          nowMs: after.facts.nowMs,
        }),
      ];
    case 'creative':
      return [...reasons, ...creativeWarnings(fields)];
    case 'placement':
      return [...reasons, ...capWarnings(fields)];
    default:
      return reasons;
  }
}

function lookAlikes(object: NamedObject, after: AfterApply): Reason[] {
  if (!after.isCreated(object)) return [];
  const other = after.lookAlike(object);
  if (other === undefined) return [];
  const field = object.kind === 'placement' ? 'code' : 'id';
  return [[field, `${ownIdOf(object)} is new and looks like the stored ${object.kind} ${other}`]];
}

function advertiserWarnings({ id, sections }: NamedObject, fields: Fields, after: AfterApply): Reason[] {
  const reasons: Reason[] = [];
  if (after.facts.isUsedUp(id))
    reasons.push(['balance', `is used up, or will be within two hours; ${depositText(id)}`]);
  if (!sections.has('campaign')) return reasons;
  if (fields['approved'] !== true) reasons.push(['approved', `is false, so no campaign of ${id} delivers`]);
  const funded = after.facts.fundedNanos(id);
  if (funded !== undefined && funded <= 0n) {
    reasons.push(['balance', `nothing is paid in, so no campaign of ${id} delivers; ${depositText(id)}`]);
  }
  return reasons;
}

function depositText(id: string): string {
  return `use: placard advertiser deposit ${id} AMOUNT --reference REF`;
}

function placeOf({ kind, parentId }: PlacedId): string {
  return objectKey(kind, parentId ?? '');
}

function push<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
