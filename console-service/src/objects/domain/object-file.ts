import type { StoredObject } from '../../catalog/domain/catalog-object.js';
import type { Faults } from '../../catalog/domain/faults.js';
import type { ObjectKind } from '../../catalog/domain/kinds.js';
import {
  NO_FIELDS,
  NO_KINDS,
  readObject,
  type CatalogFile,
  type LooseObject,
  type NamedObject,
} from '../../catalog/domain/read-catalog.js';

/**
 * A catalog file that names one object and, without any fields, its parent: warnings depend on it. The path of each is
 * its kind. `parent` is null for a kind at the top, and when there is no such parent.
 */
export function objectFile(object: LooseObject, parent: StoredObject | null, faults: Faults): CatalogFile {
  const objects = readObject(object, faults);
  const above = parent === null ? [] : [toNamed(parent, object.kind)];
  return { objects: [...above, ...objects], sections: NO_KINDS };
}

function toNamed({ kind, id, parentId }: StoredObject, child: ObjectKind): NamedObject {
  const sections = new Set([child]);
  return { kind, id, parentId, path: kind, given: new Map(), faulty: NO_FIELDS, sections };
}
