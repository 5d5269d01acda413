import { appError } from '@placard/service-kit';
import type { StoredObject } from '../../catalog/domain/catalog-object.js';
import type { CatalogTransaction } from '../../catalog/store/catalog-store.js';
import type { ReadObject, WriteRefusal } from '../domain/object-write.js';

/** The object as the caller has read it, or why the caller must read it again. */
export type Unchanged = { readonly object: StoredObject } | { readonly refusal: WriteRefusal };

/**
 * Reads an object that a caller wants to write. A deposit does not change an advertiser. Errors: `not_found`,
 * `invalid_argument` (the version is above the current one).
 */
export async function readUnchanged(
  { reads, history, version }: Pick<CatalogTransaction, 'reads' | 'history' | 'version'>,
  { kind, id, ifMatch }: ReadObject,
): Promise<Unchanged> {
  if (ifMatch > version) {
    throw appError(
      'invalid_argument',
      `If-Match names version ${ifMatch}, but the catalog has version ${version}. Read the object again.`,
    );
  }
  const [object] = await reads.readEver([{ kind, id }]);
  if (object === undefined) throw notFound(kind, id);
  const [change] = await history.laterThan(ifMatch, [{ kind, id }]);
  if (change !== undefined) return { refusal: { kind: 'stale', change } };
  if (object.isRemoved) throw notFound(kind, id);
  return { object };
}

/** The error for an object that is not in the catalog. */
export function notFound(kind: StoredObject['kind'], id: string): Error {
  return appError('not_found', `There is no ${kind} ${id}.`);
}
