import { objectKey, type Fields, type StoredObject } from '../../catalog/domain/catalog-object.js';
import { isSameContent } from '../../catalog/domain/change/approval.js';
import { changedFields, changedLines } from '../../catalog/domain/change/changed-fields.js';
import { parentsFirst } from '../../catalog/domain/change/removals.js';
import { Faults } from '../../catalog/domain/faults.js';
import type { FieldValue } from '../../catalog/domain/field-types.js';
import { judgeObject } from '../../catalog/domain/judge-object.js';
import { KINDS, parentKindOf, type ObjectKind } from '../../catalog/domain/kinds.js';
import { toRemoval, type Change } from '../../catalog/domain/plan-apply.js';
import { NO_FIELDS, NO_KINDS } from '../../catalog/domain/read-catalog.js';
import type { ObjectChange } from './object-change.js';

/** An object that is or was in the catalog. */
export interface KnownObject extends StoredObject {
  readonly isRemoved: boolean;
}

/** What a revert is planned from. */
export interface RevertFacts {
  /** The changes of the version that is reverted. */
  readonly changes: readonly ObjectChange[];
  /** The changed objects and the parents of removed ones, as they are now. */
  readonly known: readonly KnownObject[];
  /** Stored objects below those that the version created, and below these. */
  readonly below: readonly StoredObject[];
  /** Stored apps that have an app key which the revert restores. */
  readonly keyOwners: readonly StoredObject[];
}

/** The plan of a revert. */
export interface RevertPlan {
  /** Parents before children; removals at the end. */
  readonly changes: readonly Change[];
  /** Why it cannot be made, `object: reason`. With faults the changes must not be carried out. */
  readonly faults: readonly string[];
}

/**
 * Plans to undo one version: what it created is removed with all that is below it, what it removed is created again, and the
 * fields that it changed get their old values. Fields that it did not change stay as they are now.
 * Contract: docs/contract/catalog.md#reverting-a-version.
 */
export function planRevert({ changes, known, below, keyOwners }: RevertFacts): RevertPlan {
  const faults = new Faults();
  const now = new Map(known.map((object) => [objectKey(object.kind, object.id), object]));
  const planned: Change[] = [];
  const removed: StoredObject[] = [];
  for (const change of changes) {
    const object = now.get(objectKey(change.kind, change.id));
    if (change.change === 'created') {
      if (object?.isRemoved === false) removed.push(object);
      continue;
    }
    const restored = restore(change, object, faults);
    if (restored !== null) planned.push(restored);
  }
  const gone = parentsFirst(unique([...removed, ...below]));
  refuseOrphans(planned, { now, gone }, faults);
  refuseTakenKeys(planned, { keyOwners, gone }, faults);
  return { changes: [...parentsFirst(planned), ...gone.map(toRemoval)], faults: faults.list() };
}

/** The change that gives an object its old fields; null when it has them, or a fault is added. */
function restore(change: ObjectChange, object: KnownObject | undefined, faults: Faults): Change | null {
  const { kind, id, before } = change;
  const name = `${kind} ${id}`;
  if (object === undefined || before === null) {
    faults.add(name, 'the audit does not say what it was before');
    return null;
  }
  const { parentId } = object;
  if (object.isRemoved) {
    if (change.change === 'removed')
      return { action: 'created', kind, id, parentId, before: null, after: before, details: [] };
    faults.add(name, 'was removed later; revert that version first');
    return null;
  }
  const after = oldFields(change, object);
  for (const { name: field, isFixed } of KINDS[kind].fields)
    if (isFixed && after[field] !== object.fields[field]) faults.add(`${name}.${field}`, 'cannot change');
  const asNamed = { kind, id, parentId, path: name, given: new Map(), faulty: NO_FIELDS, sections: NO_KINDS };
  judgeObject(asNamed, after, false, faults);
  const details = changedLines(kind, object.fields, after);
  if (details.length === 0) return null;
  return { action: 'updated', kind, id, parentId, before: object.fields, after, details };
}

/** The old values of the fields that a change wrote: all of a removed object, none of a new one. */
export function restoredFields({ kind, before, after }: ObjectChange): Fields {
  const old: Fields = before ?? {};
  if (after === null) return old;
  const written = new Set(changedFields(kind, old, after));
  return Object.fromEntries(Object.entries(old).filter(([name]) => written.has(name)));
}

/** The fields of a stored object with the old values of those that the change wrote. */
function oldFields(change: ObjectChange, object: KnownObject): Fields {
  const old: Fields = change.before ?? {};
  const fields: Record<string, FieldValue> = { ...object.fields, ...restoredFields(change) };
  // An approval covers what was reviewed. A creative that is new in part was reviewed by nobody.
  const isReviewed =
    isSameContent(fields, object.fields) || (old['approved'] === true && isSameContent(fields, old));
  if (change.kind === 'creative' && !isReviewed) fields['approved'] = false;
  return fields;
}

interface Now {
  readonly now: ReadonlyMap<string, KnownObject>;
  readonly gone: readonly StoredObject[];
}

/** Adds a fault for each object that would be created below one that is not in the catalog. */
function refuseOrphans(planned: readonly Change[], { now, gone }: Now, faults: Faults): void {
  const created = new Set(planned.map(({ kind, id }) => objectKey(kind, id)));
  const lost = new Set(gone.map(({ kind, id }) => objectKey(kind, id)));
  for (const { action, kind, id, parentId } of planned) {
    if (action !== 'created' || parentId === null) continue;
    const parent = parentKey(kind, parentId);
    const isThere = created.has(parent) || (now.get(parent)?.isRemoved === false && !lost.has(parent));
    if (!isThere) faults.add(`${kind} ${id}`, `its ${parent} is not in the catalog`);
  }
}

interface Keys {
  readonly keyOwners: readonly StoredObject[];
  readonly gone: readonly StoredObject[];
}

/** Adds a fault for each app key that another app has by now. */
function refuseTakenKeys(planned: readonly Change[], { keyOwners, gone }: Keys, faults: Faults): void {
  const changing = new Set([...planned, ...gone].map(({ kind, id }) => objectKey(kind, id)));
  const owners = new Map(
    keyOwners
      .filter(({ kind, id }) => !changing.has(objectKey(kind, id)))
      .map(({ id, fields }) => [fields['app_key'], id]),
  );
  for (const { kind, id, after } of planned) {
    const owner = kind === 'app' ? owners.get(after?.['app_key'] ?? null) : undefined;
    if (owner !== undefined) faults.add(`app ${id}.app_key`, `is by now the key of app ${owner}`);
  }
}

function parentKey(kind: ObjectKind, parentId: string): string {
  return objectKey(parentKindOf(kind) ?? 'global', parentId);
}

function unique(objects: readonly StoredObject[]): StoredObject[] {
  return [...new Map(objects.map((object) => [objectKey(object.kind, object.id), object])).values()];
}
