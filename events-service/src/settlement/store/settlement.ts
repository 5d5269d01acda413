import type { RequestId } from '@placard/service-kit/pure';

/** The key of a waiting row. Workers take rows in the order of these keys. */
export interface WaitingKey {
  /** `YYYY-MM-DD` of the partition. */
  readonly day: string;
  readonly requestId: RequestId;
  readonly type: string;
}

/** One group to settle. */
export interface SettlementGroup {
  /** Most rows to take. */
  readonly rowsMax: number;
  /** Only rows behind this one; null: from the first. */
  readonly after: WaitingKey | null;
}

/** The result of a settled group. */
export interface SettledGroup {
  /** Rows taken and marked as settled. */
  readonly rows: number;
  /** Impressions booked in the ledger. */
  readonly impressions: number;
  /** Waiting impressions that were booked before. They are not booked again. */
  readonly bookedBefore: number;
  /** Longest wait in the group, milliseconds. */
  readonly lagMs: number;
}

/** The size of the backlog. */
export interface Outbox {
  /** Counted up to a bound. */
  readonly waiting: number;
  /** When the longest waiting event arrived, epoch ms; null: none waits. */
  readonly oldestAtMs: number | null;
}

/** Settles stored events, each exactly once, on any number of workers. */
export interface SettlementStore {
  /**
   * Settles a group in one transaction: all of it or nothing. Error `unavailable`: a later attempt may succeed. Any other error
   * will occur again with the same rows.
   */
  settle(group: SettlementGroup): Promise<SettledGroup>;
  /** The key of the next waiting row after `after`; null: there is none. */
  nextWaiting(after: WaitingKey | null): Promise<WaitingKey | null>;
  outbox(): Promise<Outbox>;
}
