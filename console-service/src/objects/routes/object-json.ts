import { ownIdOf } from '../../catalog/domain/catalog-object.js';
import { fieldsNode } from '../../catalog/domain/export-tree.js';
import { KINDS, parentKindOf } from '../../catalog/domain/kinds.js';
import type { VersionedObject } from '../domain/versioned-object.js';

/**
 * An object in an answer: its id, the id of its parent under the kind of that, and its fields as in a catalog file. The
 * schema of its kind in the document has the same members.
 */
export function objectJson(object: VersionedObject): unknown {
  const { kind, id, parentId, fields, version } = object;
  const parentKind = parentKindOf(kind);
  const place: Record<string, string | null> = { id };
  place[KINDS[kind].idField] ??= ownIdOf(object);
  if (parentKind !== null) place[parentKind] = parentId;
  return { ...place, ...fieldsNode(kind, fields), version };
}
