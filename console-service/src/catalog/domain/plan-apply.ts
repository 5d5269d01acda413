import {
  defaultsOf,
  isSameValue,
  objectKey,
  showValue,
  type Fields,
  type StoredObject,
} from './catalog-object.js';
import { lostApproval } from './change/approval.js';
import { changedLines } from './change/changed-fields.js';
import { removedBy } from './change/removals.js';
import type { Faults } from './faults.js';
import type { FieldValue } from './field-types.js';
import { judgeObject } from './judge-object.js';
import { KINDS, type ObjectKind } from './kinds.js';
import type { CatalogFile, NamedObject } from './read-catalog.js';

/** The change of one object by an apply. */
export interface Change {
  readonly action: 'created' | 'updated' | 'removed';
  readonly kind: ObjectKind;
  readonly id: string;
  readonly parentId: string | null;
  /** Null for a new object. */
  readonly before: Fields | null;
  /** Null for a removed object. */
  readonly after: Fields | null;
  /** Lines `field: old → new` of an update, in the order of the file format. */
  readonly details: readonly string[];
}

/** The stored objects that a plan may need. */
export interface StoredCatalog {
  /** Objects that the file names, apps with an app key of the file, and all objects when pruning. */
  readonly objects: readonly StoredObject[];
  /** Whether to remove objects that the sections of the file do not name. */
  readonly isPruning: boolean;
}

/** The plan of an apply. */
export interface ApplyPlan {
  /** Parents before children; removals at the end. */
  readonly changes: readonly Change[];
  /** Notes `path: the kept value and the reason`. */
  readonly notes: readonly string[];
}

/**
 * Compares a file with the stored catalog. Fields that the file leaves out keep their value; new objects get the
 * documented defaults. Faults are added to `faults`; a plan with faults must not be carried out.
 * Contract: docs/contract/operator-interface.md#applying-a-catalog.
 */
export function planApply(file: CatalogFile, stored: StoredCatalog, faults: Faults): ApplyPlan {
  const byKey = new Map(stored.objects.map((object) => [objectKey(object.kind, object.id), object]));
  const named = new Set(file.objects.map((object) => objectKey(object.kind, object.id)));
  const removed = stored.isPruning ? removedBy(file, stored.objects, named) : [];
  const removedKeys = new Set(removed.map((object) => objectKey(object.kind, object.id)));
  const keys = new AppKeys();
  for (const object of stored.objects) {
    const key = objectKey(object.kind, object.id);
    if (object.kind === 'app' && !named.has(key) && !removedKeys.has(key))
      keys.hold(object.id, object.fields);
  }
  const changes: Change[] = [];
  const notes: string[] = [];
  for (const object of file.objects) {
    const before = byKey.get(objectKey(object.kind, object.id));
    refuseMoves(object, before, faults);
    const after = merge(object, before, notes);
    judgeObject(object, after, before === undefined, faults);
    if (object.kind === 'app') keys.claim(object, after, faults);
    const change = compare(object, before, after);
    if (change !== null) changes.push(change);
  }
  return { changes: [...changes, ...removed.map(toRemoval)], notes };
}

/** App keys that are in use after the plan is carried out. */
class AppKeys {
  readonly #owners = new Map<FieldValue, string>();

  hold(appId: string, fields: Fields): void {
    this.#owners.set(fields['app_key'] ?? null, appId);
  }

  claim(app: NamedObject, after: Fields, faults: Faults): void {
    const key = after['app_key'];
    if (key === undefined) return;
    const owner = this.#owners.get(key);
    if (owner === undefined) this.hold(app.id, after);
    else faults.add(`${app.path}.app_key`, `is already the key of app ${owner}`);
  }
}

function refuseMoves(object: NamedObject, before: StoredObject | undefined, faults: Faults): void {
  if (before === undefined) return;
  if (before.parentId !== object.parentId) {
    const idField = KINDS[object.kind].idField;
    faults.add(
      `${object.path}.${idField}`,
      `${object.kind} ${object.id} belongs to ${before.parentId ?? 'none'} and cannot move to ${object.parentId ?? 'none'}`,
    );
  }
  for (const field of KINDS[object.kind].fields) {
    const wanted = object.given.get(field.name);
    const has = before.fields[field.name];
    if (field.isFixed && wanted !== undefined && !isSameValue(wanted, has)) {
      faults.add(
        `${object.path}.${field.name}`,
        `cannot change from ${showValue(has)} to ${showValue(wanted)}`,
      );
    }
  }
}

function merge(object: NamedObject, before: StoredObject | undefined, notes: string[]): Fields {
  const after: Record<string, FieldValue> = { ...defaultsOf(object.kind), ...before?.fields };
  for (const [name, value] of object.given) {
    if (name === 'balance' && before !== undefined) noteBalance(object, before, value, notes);
    else after[name] = value;
  }
  const note = before === undefined ? null : lostApproval(object, before, after);
  if (note !== null) {
    notes.push(note);
    after['approved'] = false;
  }
  return after;
}

/** The opening balance of an existing advertiser does not change. Contract: docs/catalog-file.md#the-opening-balance. */
function noteBalance(object: NamedObject, before: StoredObject, value: FieldValue, notes: string[]): void {
  const has = before.fields['balance'];
  if (isSameValue(value, has)) return;
  notes.push(
    `${object.path}.balance: stays ${showValue(has)}, the opening balance is credited once; ` +
      `for more funds use: placard advertiser deposit ${object.id} AMOUNT --reference REF`,
  );
}

function compare(object: NamedObject, before: StoredObject | undefined, after: Fields): Change | null {
  const { kind, id, parentId } = object;
  if (before === undefined)
    return { action: 'created', kind, id, parentId, before: null, after, details: [] };
  const details = changedLines(kind, before.fields, after);
  if (details.length === 0) return null;
  return { action: 'updated', kind, id, parentId, before: before.fields, after, details };
}

/** The change that removes an object. */
export function toRemoval({ kind, id, parentId, fields }: StoredObject): Change {
  return { action: 'removed', kind, id, parentId, before: fields, after: null, details: [] };
}
