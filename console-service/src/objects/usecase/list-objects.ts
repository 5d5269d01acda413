import type { ObjectPage, ObjectRows, Objects } from '../store/objects.js';

/** Lists objects of one kind, ordered by id. */
export type ListObjects = (page: ObjectPage) => Promise<ObjectRows>;

/** Makes {@link ListObjects}. */
export function makeListObjects(objects: Pick<Objects, 'list'>): ListObjects {
  return (page) => objects.list(page);
}
