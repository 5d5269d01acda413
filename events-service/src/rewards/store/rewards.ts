import type { AcceptedReward } from '../domain/accepted-reward.js';

/** How many rewards wait to be confirmed, and since when. */
export interface WaitingRewards {
  readonly count: number;
  /** When the oldest was accepted, epoch ms; null: none waits. */
  readonly oldestAtMs: number | null;
}

/** Accepted rewards that wait to be confirmed. Error of all: `unavailable`. */
export interface RewardStore {
  /** The oldest ones. They go on waiting. */
  take(countMax: number): Promise<readonly AcceptedReward[]>;
  /** Ends the wait of these. Those that do not wait are ignored. */
  confirm(requestIds: readonly string[]): Promise<void>;
  waiting(): Promise<WaitingRewards>;
  /** Deletes those that nobody has confirmed for longer than this. */
  prune(keptSeconds: number): Promise<void>;
}
