import type { Catalog } from './catalog.js';
import type { DeltaBuilder } from './delta.js';
import { keyOf, type CatalogObject, type ObjectName, type ObjectOf } from './object.js';
import { isSame } from './same.js';

/** Changes to apply. Deletions are applied first, so that an app key may pass from a deleted app to a new one. */
export interface CatalogChanges {
  readonly deletions: readonly ObjectName[];
  readonly upserts: readonly CatalogObject[];
}

/** Applies changes to the catalog in force and records the differences in `delta`. */
export function applyChanges(catalog: Catalog, changes: CatalogChanges, delta: DeltaBuilder): void {
  for (const { kind, key } of changes.deletions) {
    if (kind !== 'global' && catalog.remove(kind, key)) delta.removed(kind, key);
  }
  for (const object of changes.upserts) upsert(catalog, catalog, object, delta);
}

/**
 * Adds objects to a new catalog and records how they differ from the catalog in force. An object that equals the one in
 * force is replaced by that one, so that a comparison by identity shows no change.
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
