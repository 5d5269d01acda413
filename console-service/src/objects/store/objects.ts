import type { ObjectKind } from '../../catalog/domain/kinds.js';
import type { VersionedObject } from '../domain/versioned-object.js';

/** Which objects are listed. A filter that is null lets all pass. */
export interface ObjectPage {
  readonly kind: ObjectKind;
  /** The one object with this id. */
  readonly id: string | null;
  readonly parentId: string | null;
  /** The id of the parent's parent. */
  readonly grandparentId: string | null;
  /** What the name begins with, whatever its letter case. */
  readonly nameBegin: string | null;
  /** The status of a campaign. */
  readonly status: string | null;
  readonly isApproved: boolean | null;
  /** `next` of the page before; null: the first page. */
  readonly after: string | null;
  /** Most rows, at least 1. */
  readonly rowsMax: number;
}

/** A page of objects, ordered by id. */
export interface ObjectRows {
  readonly rows: readonly VersionedObject[];
  /** For the next page; null: this is the last one. */
  readonly next: string | null;
}

/** Reads of single objects and of pages. Removed objects are not there. Every method may fail with `unavailable`. */
export interface Objects {
  list(page: ObjectPage): Promise<ObjectRows>;
  /** Null: there is none. */
  read(kind: ObjectKind, id: string): Promise<VersionedObject | null>;
}
