import type { RequestId } from '@placard/service-kit/pure';

/** Place of a row in the one order in which rows are taken. */
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

/** What became of a group. */
export interface SettledGroup {
  /** Rows taken and marked as settled. */
  readonly rows: number;
  /** Impressions booked in the ledger. */
  readonly impressions: number;
  /** Impressions whose booking existed although they were waiting: booked once and left alone. */
  readonly bookedBefore: number;
  /** Longest wait in the group, milliseconds. */
  readonly lagMs: number;
}

/** What waits for settlement. */
export interface Outbox {
  /** Counted up to a bound. */
  readonly waiting: number;
  /** When the longest waiting event arrived, epoch ms; null: none waits. */
  readonly oldestAtMs: number | null;
}

/** Settles stored events, each exactly once, on however many workers. */
export interface SettlementStore {
  /**
   * One transaction: all of the group or nothing. Error `unavailable`: a later attempt may succeed; any other error will come
   * again with the same rows.
   */
  settle(group: SettlementGroup): Promise<SettledGroup>;
  /** Where the next waiting row behind `after` stands; null: none waits there. */
  nextWaiting(after: WaitingKey | null): Promise<WaitingKey | null>;
  outbox(): Promise<Outbox>;
}
