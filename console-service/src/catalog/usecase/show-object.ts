import { appError } from '@placard/service-kit';
import { objectKey, type StoredObject } from '../domain/catalog-object.js';
import { exportTree } from '../domain/export-tree.js';
import { OBJECT_KINDS, parentKindOf } from '../domain/kinds.js';
import type { CatalogStore } from '../store/catalog-store.js';
import type { CatalogReads } from '../store/reads/catalog-reads.js';
import type { CatalogExport } from './export-catalog.js';

/** Levels of objects below and above others: publishers, apps, placements. */
const LEVELS_MAX = 2;

/**
 * Reads the objects with an id and everything below them, nested like a catalog file. Their parents have only their id.
 * Error: `not_found`.
 */
export type ShowObject = (id: string) => Promise<CatalogExport>;

/** Makes {@link ShowObject}. */
export function makeShowObject({
  reads,
  readVersion,
}: Pick<CatalogStore, 'reads' | 'readVersion'>): ShowObject {
  return async (id) => {
    const version = await readVersion();
    const ever = await reads.readEver(OBJECT_KINDS.map((kind) => ({ kind, id })));
    const objects = ever.filter(({ isRemoved }) => !isRemoved);
    if (objects.length === 0) {
      const was = ever.length === 0 ? '' : ` It was removed: placard catalog history ${id}.`;
      throw appError('not_found', `There is no object ${id} in the catalog.${was}`);
    }
    const above = (await readAbove(reads, objects)).map((object) => ({ ...object, fields: {} }));
    const all = [...above, ...objects, ...(await readAllBelow(reads, objects))];
    const tree = exportTree([
      ...new Map(all.map((object) => [objectKey(object.kind, object.id), object])).values(),
    ]);
    return { version, tree: { ...tree, sections: tree.sections.filter(({ nodes }) => nodes.length > 0) } };
  };
}

async function readAbove(reads: CatalogReads, objects: readonly StoredObject[]): Promise<StoredObject[]> {
  const found: StoredObject[] = [];
  let level = objects;
  for (let count = 0; count < LEVELS_MAX; count += 1) {
    level = await reads.readEver(
      level.flatMap(({ kind, parentId }) => {
        const parentKind = parentKindOf(kind);
        return parentKind === null || parentId === null ? [] : [{ kind: parentKind, id: parentId }];
      }),
    );
    found.push(...level);
  }
  return found;
}

/** The objects below others at any depth, parents before their children. */
export async function readAllBelow(
  reads: CatalogReads,
  objects: readonly StoredObject[],
): Promise<StoredObject[]> {
  const found: StoredObject[] = [];
  let level = objects;
  for (let count = 0; count < LEVELS_MAX; count += 1) {
    level = await reads.readBelow(level);
    found.push(...level);
  }
  return found;
}
