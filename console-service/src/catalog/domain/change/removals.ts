import { objectKey, type StoredObject } from '../catalog-object.js';
import { parentKindOf, type ObjectKind } from '../kinds.js';
import type { CatalogFile } from '../read-catalog.js';

/** Most objects that a change removes without a confirmation. Contract: docs/contract/catalog.md#removing-objects. */
export const REMOVED_UNCONFIRMED_MAX = 5;

/** An object that a change removes. */
export type RemovedObject = Pick<StoredObject, 'kind' | 'id' | 'parentId'>;

/** What an operator must confirm. */
export interface Unconfirmed {
  /** Objects that the change would remove. */
  readonly removedCount: number;
  /** Those of them that are outside the parents that the file lists. */
  readonly outsideCount: number;
}

/** Stored objects that the sections of the file do not name, and their children. Parents come before their children. */
export function removedBy(
  file: CatalogFile,
  stored: readonly StoredObject[],
  named: ReadonlySet<string>,
): StoredObject[] {
  const sectionsOf = new Map(
    file.objects.map((object) => [objectKey(object.kind, object.id), object.sections]),
  );
  const removed = new Set<string>();
  return parentsFirst(stored).filter((object) => {
    const key = objectKey(object.kind, object.id);
    if (object.kind === 'global' || named.has(key)) return false;
    const parentKind = parentKindOf(object.kind);
    const parentKey = parentKeyOf(object);
    const isSection =
      parentKind === null
        ? file.sections.has(object.kind)
        : removed.has(parentKey) || sectionsOf.get(parentKey)?.has(object.kind) === true;
    if (isSection) removed.add(key);
    return isSection;
  });
}

/**
 * What must be confirmed before these objects are removed; null when nothing must. `removed` has parents before their
 * children. An object is inside when the file lists its parent, or when its parent is removed and is inside.
 */
export function unconfirmed(
  removed: readonly RemovedObject[],
  file: Pick<CatalogFile, 'objects'>,
): Unconfirmed | null {
  const inside = new Set(file.objects.map(({ kind, id }) => objectKey(kind, id)));
  let outsideCount = 0;
  for (const object of removed) {
    if (object.parentId !== null && inside.has(parentKeyOf(object)))
      inside.add(objectKey(object.kind, object.id));
    else outsideCount += 1;
  }
  const isFew = removed.length <= REMOVED_UNCONFIRMED_MAX && outsideCount === 0;
  return isFew ? null : { removedCount: removed.length, outsideCount };
}

/** Orders objects so that each comes after its parent. */
export function parentsFirst<T extends { readonly kind: ObjectKind }>(objects: readonly T[]): T[] {
  return [...objects].sort((left, right) => depthOf(left.kind) - depthOf(right.kind));
}

function parentKeyOf({ kind, parentId }: RemovedObject): string {
  return objectKey(parentKindOf(kind) ?? 'global', parentId ?? '');
}

/** Depth of a kind in the file: 0 at the top. */
function depthOf(kind: ObjectKind): number {
  const parent = parentKindOf(kind);
  return parent === null ? 0 : depthOf(parent) + 1;
}
