import type { ObjectKind } from '../../catalog/domain/kinds.js';
import type { VersionedObject } from '../domain/versioned-object.js';
import type { Objects } from '../store/objects.js';
import { notFound } from './read-unchanged.js';

/** Reads one object. Error: `not_found`. */
export type GetObject = (kind: ObjectKind, id: string) => Promise<VersionedObject>;

/** Makes {@link GetObject}. */
export function makeGetObject(objects: Pick<Objects, 'read'>): GetObject {
  return async (kind, id) => {
    const object = await objects.read(kind, id);
    if (object === null) throw notFound(kind, id);
    return object;
  };
}
