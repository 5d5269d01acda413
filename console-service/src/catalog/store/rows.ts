import { defaultsOf, type CatalogRow, type Fields, type StoredObject } from '../domain/catalog-object.js';
import type { ObjectKind } from '../domain/kinds.js';

/** A row of `catalog.objects`. */
export interface ObjectRow {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly parent_id: string | null;
  readonly fields: Fields;
}

/** A row of a change. */
export interface ChangeRow extends ObjectRow {
  readonly version: bigint;
  readonly removed: boolean;
  readonly funded_nanos: bigint;
}

/** A stored object. A field that is missing, because a later release added it, gets its default. */
export function fromObjectRow(row: ObjectRow): StoredObject {
  const fields = { ...defaultsOf(row.kind), ...row.fields };
  return { kind: row.kind, id: row.id, parentId: row.parent_id, fields };
}

/** An object for readers. */
export function fromChangeRow(row: ChangeRow): CatalogRow {
  return {
    ...fromObjectRow(row),
    version: Number(row.version),
    isRemoved: row.removed,
    fundedNanos: row.funded_nanos,
  };
}
