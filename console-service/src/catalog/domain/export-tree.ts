import { ownIdOf, type Fields, type StoredObject } from './catalog-object.js';
import type { FieldValue } from './field-types.js';
import { KINDS, TOP_KINDS, type ObjectKind } from './kinds.js';

/** One object of a file: its id or code, its fields, and its children in lists. */
export interface ExportNode {
  readonly [key: string]: FieldValue | ExportNode | readonly ExportNode[];
}

/** The content of a file that names every stored object, in the order of the file. */
export interface ExportTree {
  readonly global: ExportNode | null;
  readonly sections: readonly { readonly name: string; readonly nodes: readonly ExportNode[] }[];
}

/** Nests the stored objects like the file; lists are ordered by id. */
export function exportTree(objects: readonly StoredObject[]): ExportTree {
  const children = new Map<string, StoredObject[]>();
  for (const object of [...objects].sort((left, right) => (left.id < right.id ? -1 : 1))) {
    const key = listKey(object.kind, object.parentId);
    const list = children.get(key);
    if (list === undefined) children.set(key, [object]);
    else list.push(object);
  }
  const nodesOf = (kind: ObjectKind, parentId: string | null): ExportNode[] =>
    (children.get(listKey(kind, parentId)) ?? []).map((object) => toNode(object, nodesOf));
  const [global = null] = nodesOf('global', null);
  const sections = TOP_KINDS.map((kind) => ({ name: KINDS[kind].section ?? '', nodes: nodesOf(kind, null) }));
  return { global, sections };
}

function listKey(kind: ObjectKind, parentId: string | null): string {
  return `${kind} ${parentId ?? ''}`;
}

function toNode(
  object: StoredObject,
  nodesOf: (kind: ObjectKind, parentId: string | null) => ExportNode[],
): ExportNode {
  const spec = KINDS[object.kind];
  const node: Record<string, ExportNode[string]> = {};
  if (spec.section !== null) node[spec.idField] = ownIdOf(object);
  Object.assign(node, fieldsNode(object.kind, object.fields));
  for (const child of spec.children) node[KINDS[child].section ?? ''] = nodesOf(child, object.id);
  return node;
}

/** Fields nested like the file, without those that an earlier release did not store. */
export function fieldsNode(kind: ObjectKind, fields: Fields): ExportNode {
  const node: Record<string, ExportNode[string]> = {};
  const targeting: Record<string, FieldValue> = {};
  for (const { name } of KINDS[kind].fields) {
    const value = fields[name];
    if (value === undefined) continue;
    if (!name.startsWith('targeting.')) {
      node[name] = value;
      continue;
    }
    targeting[name.slice('targeting.'.length)] = value;
    node['targeting'] = targeting;
  }
  return node;
}
