import {
  byKind,
  CATALOG_SCHEMA,
  FIELDS,
  OBJECT_KINDS,
  type Fallback,
  type ObjectKind,
} from '@placard/service-kit/pure';
import { fieldTypeOf, type FieldType } from './field-types.js';

export { OBJECT_KINDS, type ObjectKind };

/** Id of the one `global` object. */
export const GLOBAL_ID = 'global';

/** One field of a kind. Contract: docs/catalog-file.md#fields. */
export interface FieldSpec {
  /** The name in the file; for a field of an inner mapping with its path, such as `targeting.formats`. */
  readonly name: string;
  readonly type: FieldType;
  /** The value for a new object and for an explicit null. Undefined: the field is required and cannot be cleared. */
  readonly fallback: Fallback | undefined;
  /** Whether the value of an existing object is fixed. */
  readonly isFixed: boolean;
}

/** The place of a kind in the file. */
export interface KindSpec {
  readonly kind: ObjectKind;
  /** Name of the list that holds it; null for the global object, which is a mapping of its own. */
  readonly section: string | null;
  /** `id` or `code`; the global object has neither. */
  readonly idField: string;
  readonly idType: FieldType;
  readonly fields: readonly FieldSpec[];
  readonly children: readonly ObjectKind[];
}

const NO_ID: FieldType = () => undefined;

function kindSpec(kind: ObjectKind): KindSpec {
  const fields = FIELDS[kind].map(([, field]) => field);
  const id = fields.find(({ role }) => role === 'id');
  return {
    kind,
    section: CATALOG_SCHEMA[kind].section,
    idField: id?.name ?? 'id',
    idType: id === undefined ? NO_ID : fieldTypeOf(id.shape),
    fields: fields
      .filter(({ role }) => role === 'set' || role === 'fixed' || role === 'kept')
      .map(({ name, shape, fallback, role }) => ({
        name,
        type: fieldTypeOf(shape),
        fallback,
        isFixed: role === 'fixed',
      })),
    children: OBJECT_KINDS.filter((child) => parentKindOf(child) === kind),
  };
}

/** The place of each kind in the catalog file. */
export const KINDS = byKind(kindSpec);

/** Kinds that are sections at the top of the file. */
export const TOP_KINDS = OBJECT_KINDS.filter((kind) => kind !== 'global' && parentKindOf(kind) === null);

/** The kind whose objects hold objects of this kind; null at the top. */
export function parentKindOf(kind: ObjectKind): ObjectKind | null {
  const parent = FIELDS[kind].find(([, { role }]) => role === 'parent');
  return parent === undefined ? null : (parent[1].name as ObjectKind);
}
