import type { Catalog } from './catalog.js';
import type { DeltaBuilder } from './delta.js';
import { keyOf, type CatalogObject, type ObjectName, type ObjectOf } from './object.js';
import { isSame } from './same.js';

/** What to change: deletions are applied first, so that an app key may pass from a deleted app to a new one. */
export interface CatalogChanges {
  readonly deletions: readonly ObjectName[];
  readonly upserts: readonly CatalogObject[];
}

/** Applies changes to a catalog that is in force and notes what differs thereby. */
export function applyChanges(catalog: Catalog, changes: CatalogChanges, delta: DeltaBuilder): void {
  for (const { kind, key } of changes.deletions) {
    if (kind !== 'global' && catalog.remove(kind, key)) delta.removed(kind, key);
  }
  for (const object of changes.upserts) upsert(catalog, catalog, object, delta);
}

/**
 * Adds objects to a catalog that is built aside, and notes what differs from the one in force. An object that says the
 * same as the one in force is that very object, so that who compares by identity sees no change.
 */
export function addToSnapshot(
  built: Catalog,
  inForce: Catalog,
  changes: CatalogChanges,
  delta: DeltaBuilder,
): void {
  for (const object of changes.upserts) upsert(built, inForce, object, delta);
}

function upsert(target: Catalog, inForce: Catalog, object: CatalogObject, delta: DeltaBuilder): void {
  if (object.kind === 'global') {
    if (!isSame(inForce.global, object.value)) delta.isGlobalChanged = true;
    target.global = object.value;
    return;
  }
  put(target, inForce, { kind: object.kind, key: keyOf(object), value: object.value }, delta);
}

function put<Kind extends keyof ObjectOf>(
  target: Catalog,
  inForce: Catalog,
  { kind, key, value }: { kind: Kind; key: string; value: ObjectOf[Kind] },
  delta: DeltaBuilder,
): void {
  const held = inForce.table(kind).get(key);
  const isKept = held !== undefined && isSame(held, value);
  if (!isKept) delta.changed(kind, key);
  if (!isKept || target !== inForce) target.put(kind, key, isKept ? held : value);
}
