import type { StoredObject } from '../../catalog/domain/catalog-object.js';

/** An object of the catalog with its version. */
export interface VersionedObject extends StoredObject {
  /** The version of the catalog in which it last changed. A deposit also raises that of its advertiser. */
  readonly version: number;
}
