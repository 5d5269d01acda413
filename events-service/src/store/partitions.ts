/** The daily partitions of the events. */
export interface PartitionStore {
  /** Makes the partitions of these UTC days (since 1970) where they are missing. Safe to run at the same time anywhere. */
  ensure(days: readonly number[]): Promise<void>;
}
