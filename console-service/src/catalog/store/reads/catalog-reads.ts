import type { StoredObject } from '../../domain/catalog-object.js';
import type { PlacedId } from '../../domain/warnings/find-warnings.js';

/** The names of objects. */
export type ObjectNames = readonly Pick<StoredObject, 'kind' | 'id'>[];

/** An object that is or was in the catalog. */
export interface EverObject extends StoredObject {
  /** True: it is gone, and the fields are its last ones. */
  readonly isRemoved: boolean;
}

/** Reads of the stored catalog by the place of objects. Every method may fail with `unavailable`. */
export interface CatalogReads {
  /** The named objects, also removed ones. */
  readEver(names: ObjectNames): Promise<EverObject[]>;
  /** The objects directly below the named ones. */
  readBelow(parents: ObjectNames): Promise<StoredObject[]>;
  /** The ids of objects that have the kind and the parent of one of `places`; null when there are more than `rowsMax`. */
  readSiblings(
    places: readonly Pick<StoredObject, 'kind' | 'parentId'>[],
    rowsMax: number,
  ): Promise<PlacedId[] | null>;
  /** Deposits and adjustments less refunds by advertiser, in nano-units. Advertisers without any are left out. */
  readFunded(advertiserIds: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  /** Those of the advertisers whose balance is used up, or will be within two hours, as the last check of health found. */
  readUsedUp(advertiserIds: readonly string[]): Promise<ReadonlySet<string>>;
}
