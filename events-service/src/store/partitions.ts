/** What dropping a partition would mean. */
export type PartitionState =
  /** All of it is settled, and what is stored, was accepted and is booked agree. */
  | 'settled'
  /** Something of it waits for settlement. */
  | 'waits'
  /** What is stored is not what was accepted and booked: evidence that must be kept. */
  | 'differs';

/** The daily partitions of the events. */
export interface PartitionStore {
  /** Makes the partitions of these UTC days (since 1970) where they are missing. Safe to run at the same time anywhere. */
  ensure(days: readonly number[]): Promise<void>;
  /** Days of the partitions that are older than `keptDays` by both this clock (UTC day since 1970) and the database's. */
  olderThan(range: { readonly today: number; readonly keptDays: number }): Promise<readonly number[]>;
  state(day: number): Promise<PartitionState>;
  /**
   * Drops a partition that is settled; false: something of it waits after all, or it is gone. Error `unavailable` also when
   * statements that use the events did not make way in time.
   */
  drop(day: number): Promise<boolean>;
}
