import type { CatalogObject, Deletion } from '@placard/protos/catalog/v1/catalog.js';
import { nameToWire, objectToWire } from '@placard/service-kit/catalog-reader';
import type { CatalogRow } from '../domain/catalog-object.js';
import { toValue } from '../domain/to-value.js';

/** A tombstone for readers. */
export function toDeletion(row: CatalogRow): Deletion {
  return nameToWire({ kind: row.kind, key: row.id });
}

/** An object for readers. */
export function toCatalogObject(row: CatalogRow): CatalogObject {
  return objectToWire({ kind: row.kind, value: toValue(row.kind, row) });
}
