import type { ConcernChanges, OpenConcern } from '../domain/concern-changes.js';

/** Concerns that have begun and not ended. Every method may fail with `unavailable`. */
export interface ConcernStore {
  readOpen(): Promise<readonly OpenConcern[]>;
  /**
   * Stores what `compare` makes of the open concerns, and a notice for each webhook of each event, in one transaction. One
   * console-service at a time does so. Returns what changed.
   */
  update(
    atMs: number,
    compare: (open: readonly OpenConcern[]) => {
      readonly changes: ConcernChanges;
      /** JSON texts. */
      readonly events: readonly string[];
    },
  ): Promise<ConcernChanges>;
}
