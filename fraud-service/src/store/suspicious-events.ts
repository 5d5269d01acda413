import type { SuspiciousEvent } from '../domain/suspicious-event.js';

/** The limits of the log. Older entries, and those over the count, are removed. */
export interface LogBounds {
  /** Epoch ms. Entries before it are removed, and counts of hours that ended before it. */
  readonly beforeMs: number;
  /** Epoch ms. Counts of sessions for hours that ended before it are removed. */
  readonly sessionsBeforeMs: number;
  /** Most entries that stay: the newest ones. */
  readonly countMax: number;
}

/** The suspicious-event log. Contract: docs/contract/fraud-rules.md#suspicious-event-log. */
export interface SuspiciousEvents {
  /**
   * Counts all events and adds the first ones of each session and app as entries, all or nothing. Answers the number of
   * added entries. Rejects with `unavailable` when the database cannot store them.
   */
  add(events: readonly SuspiciousEvent[]): Promise<number>;
  /**
   * Removes entries and counts over the limits, at most `deleteMax` of each kind for their age and as many for the
   * count. Answers the number of removed rows. Several instances may do so at once. Rejects with `unavailable`.
   */
  prune(bounds: LogBounds, deleteMax: number): Promise<number>;
}
