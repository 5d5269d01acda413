import type { SuspiciousEvent } from '../domain/suspicious-event.js';

/** What the log may keep; older entries and those over the count are removed. */
export interface LogBounds {
  /** Epoch ms: entries before it go. */
  readonly beforeMs: number;
  /** The newest so many stay, at most. */
  readonly countMax: number;
}

/** The suspicious-event log. Rulings: "Fraud rules". */
export interface SuspiciousEvents {
  /** Adds entries, all or none. Rejects with `unavailable` when the database cannot take them. */
  add(events: readonly SuspiciousEvent[]): Promise<void>;
  /**
   * Removes entries that are over the bounds, at most `deleteMax` for their age and as many for the count; answers how
   * many went. Several instances may do so at once.
   * Rejects with `unavailable`.
   */
  prune(bounds: LogBounds, deleteMax: number): Promise<number>;
}
