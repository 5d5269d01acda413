/** Whether a partition may be dropped. */
export type PartitionState =
  /** All rows are settled, and stored, accepted and booked impressions agree. It may be dropped. */
  | 'settled'
  /** Some rows wait for settlement. */
  | 'waits'
  /** Stored, accepted and booked impressions differ. It is evidence and must be kept. */
  | 'differs';

/** The daily partitions of the events. */
export interface PartitionStore {
  /** Makes missing partitions of these UTC days (since 1970). Several processes may call it at the same time. */
  ensure(days: readonly number[]): Promise<void>;
  /** Days of partitions older than `keptDays` by both clocks: `today` (UTC day since 1970) and the database's. */
  olderThan(range: { readonly today: number; readonly keptDays: number }): Promise<readonly number[]>;
  state(day: number): Promise<PartitionState>;
  /**
   * Drops a settled partition; false: some rows wait after all, or it is gone. Error `unavailable` also when statements that
   * use the events kept their locks for too long.
   */
  drop(day: number): Promise<boolean>;
}
