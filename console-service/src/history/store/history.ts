import type { StoredObject } from '../../catalog/domain/catalog-object.js';
import type { ObjectChange } from '../domain/object-change.js';

/** Which part of the history is read. */
export interface HistoryPage {
  /** The id of an object; null: of every object. */
  readonly id: string | null;
  /** `next` of the page before; null: the newest changes. */
  readonly after: number | null;
  /** Most rows, at least 1. */
  readonly rowsMax: number;
}

/** A part of the history, newest first. */
export interface HistoryRows {
  readonly rows: readonly ObjectChange[];
  /** For the next page; null: there are no older changes. */
  readonly next: number | null;
}

/**
 * What the audit has of changes of objects. Deposits and adjustments are not among them. Every method may fail with
 * `unavailable`.
 */
export interface History {
  read(page: HistoryPage): Promise<HistoryRows>;
  /** The changes that one version made, in their order. */
  ofVersion(version: number): Promise<ObjectChange[]>;
  /** The changes after a version, oldest first, at most `rowsMax`. */
  since(version: number, rowsMax: number): Promise<ObjectChange[]>;
  /** The newest change after a version of each named object that has one. */
  laterThan(version: number, names: readonly Pick<StoredObject, 'kind' | 'id'>[]): Promise<ObjectChange[]>;
}
