import type { SuspiciousEvent } from '../domain/suspicious-event.js';

/** What the log may keep; older entries and those over the count are removed. */
export interface LogBounds {
  /** Epoch ms: entries before it go, and the counts of hours that ended before it. */
  readonly beforeMs: number;
  /** Epoch ms: what sessions have used of their bound in hours that ended before it is forgotten. */
  readonly sessionsBeforeMs: number;
  /** The newest so many stay, at most. */
  readonly countMax: number;
}

/** The suspicious-event log. Contract: docs/contract/fraud-rules.md#suspicious-event-log. */
export interface SuspiciousEvents {
  /**
   * Counts all of them and adds the first of each session and app as entries, all or nothing; answers how many were added.
   * Rejects with `unavailable` when the database cannot take them.
   */
  add(events: readonly SuspiciousEvent[]): Promise<number>;
  /**
   * Removes entries and counts that are over the bounds, at most `deleteMax` of each kind for their age and as many for the
   * count; answers how many went. Several instances may do so at once.
   * Rejects with `unavailable`.
   */
  prune(bounds: LogBounds, deleteMax: number): Promise<number>;
}
