import type { FindQuery, FoundEvent, SuspiciousEvent } from '../domain/suspicious-event.js';
import type { EntrySums, EventSums, SuspiciousQuery } from '../domain/suspicious-report.js';

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
  /** The first entries of an ad, at most `countMax`, in the order of their arrival. Rejects with `unavailable`. */
  find(query: FindQuery, countMax: number): Promise<readonly FoundEvent[]>;
  /**
   * The entries of the log by the keys of the report: the `rowsMax` groups with most entries, and how many groups there are.
   * Rejects with `unavailable`.
   */
  countEntries(
    query: SuspiciousQuery,
    rowsMax: number,
  ): Promise<{ readonly entries: readonly EntrySums[]; readonly rowCount: number }>;
  /** All events, with and without an entry, by rule or app, or both. Rejects with `unavailable`. */
  countEvents(query: SuspiciousQuery): Promise<readonly EventSums[]>;
  /**
   * Removes entries and counts over the limits, at most `deleteMax` of each kind for their age and as many for the
   * count. Answers the number of removed rows. Several instances may do so at once. Rejects with `unavailable`.
   */
  prune(bounds: LogBounds, deleteMax: number): Promise<number>;
}
