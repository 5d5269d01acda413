import type { FieldValue } from './field-types.js';
import { KINDS, type ObjectKind } from './kinds.js';

/** A field's name in the file → its value. */
export type Fields = Readonly<Record<string, FieldValue>>;

/** An object as it is stored. */
export interface StoredObject {
  readonly kind: ObjectKind;
  /** The file's id; of a placement `<app id>/<code>`. Unique within its kind. */
  readonly id: string;
  /** Null for publishers, advertisers and the global object. */
  readonly parentId: string | null;
  /** Every field of the kind. */
  readonly fields: Fields;
}

/** An object as readers get it. */
export interface CatalogRow extends StoredObject {
  /** The change that wrote it last. */
  readonly version: number;
  /** True for a tombstone: the object is gone since `version`. */
  readonly isRemoved: boolean;
  /** Of an advertiser: everything ever paid in, in nano-units; 0 for other kinds. */
  readonly fundedNanos: bigint;
}

/** What a kind's objects are called in a map over all kinds. */
export function objectKey(kind: ObjectKind, id: string): string {
  return `${kind} ${id}`;
}

/** An object's id from its own id or code and its parent's. */
export function objectId(kind: ObjectKind, ownId: string, parentId: string | null): string {
  return kind === 'placement' ? `${parentId ?? ''}/${ownId}` : ownId;
}

/** The id or code as the file writes it inside its parent. */
export function ownIdOf(object: Pick<StoredObject, 'kind' | 'id'>): string {
  return object.kind === 'placement' ? object.id.slice(object.id.indexOf('/') + 1) : object.id;
}

/** The documented defaults of a kind; required fields are not among them. */
export function defaultsOf(kind: ObjectKind): Fields {
  const fields: Record<string, FieldValue> = {};
  for (const { name, fallback } of KINDS[kind].fields) if (fallback !== undefined) fields[name] = fallback;
  return fields;
}

/** Whether two values of one field are the same; both are in their one spelling. */
export function isSameValue(left: FieldValue | undefined, right: FieldValue | undefined): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

/** A value as a person reads it in `field: old → new`. */
export function showValue(value: FieldValue | undefined): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && 'period' in value) return `${value.count} per ${value.period}`;
  return typeof value === 'object' ? `[${value.join(', ')}]` : String(value);
}
