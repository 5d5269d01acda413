import type { FieldValue } from './field-types.js';
import { KINDS, type ObjectKind } from './kinds.js';

/** Values by name of the field in the file. */
export type Fields = Readonly<Record<string, FieldValue>>;

/** An object as it is stored. */
export interface StoredObject {
  readonly kind: ObjectKind;
  /** The id in the file; for a placement `<app id>/<code>`. Unique within its kind. */
  readonly id: string;
  /** Null for publishers, advertisers and the global object. */
  readonly parentId: string | null;
  /** Every field of the kind. */
  readonly fields: Fields;
}

/** An object for readers. */
export interface CatalogRow extends StoredObject {
  /** Version of the last change that wrote it. */
  readonly version: number;
  /** True for a tombstone: the object is gone since `version`. */
  readonly isRemoved: boolean;
  /** All deposits and adjustments of an advertiser in sum, in nano-units; 0 for other kinds. */
  readonly fundedNanos: bigint;
}

/** The key of an object in a map over all kinds. */
export function objectKey(kind: ObjectKind, id: string): string {
  return `${kind} ${id}`;
}

/** An object's id from its own id or code and its parent's. */
export function objectId(kind: ObjectKind, ownId: string, parentId: string | null): string {
  return kind === 'placement' ? `${parentId ?? ''}/${ownId}` : ownId;
}

/** The id or code in the file, inside the parent. */
export function ownIdOf(object: Pick<StoredObject, 'kind' | 'id'>): string {
  return object.kind === 'placement' ? object.id.slice(object.id.indexOf('/') + 1) : object.id;
}

/** The id of the app in the id of a placement; null for another kind. */
export function appIdIn({ kind, id }: Pick<StoredObject, 'kind' | 'id'>): string | null {
  return kind === 'placement' ? id.slice(0, id.indexOf('/')) : null;
}

/** The documented defaults of a kind, without its required fields. */
export function defaultsOf(kind: ObjectKind): Fields {
  const fields: Record<string, FieldValue> = {};
  for (const { name, fallback } of KINDS[kind].fields) if (fallback !== undefined) fields[name] = fallback;
  return fields;
}

/** Whether two values of one field are equal. Both must be normalized. */
export function isSameValue(left: FieldValue | undefined, right: FieldValue | undefined): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

/** A value for people, in `field: old → new`. */
export function showValue(value: FieldValue | undefined): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && 'period' in value) return `${value.count} per ${value.period}`;
  if (typeof value === 'object' && 'item' in value)
    return `${value.amount} ${value.item}, to ${value.callback_url}`;
  return typeof value === 'object' ? `[${value.join(', ')}]` : String(value);
}
