import { appError } from '@placard/service-kit';
import { REWARDS_MAX, type AcceptedReward } from '../domain/accepted-reward.js';
import type { RewardStore } from '../store/rewards.js';

/**
 * Hands accepted rewards over to console-service: each waits until it is confirmed, so none is lost whoever is killed. Errors of
 * both: `invalid_argument`, `unavailable`.
 */
export interface HandOverRewards {
  /** The rewards that wait, oldest first, at most `countMax` (1 to 1,000). Two callers may get the same. */
  take(countMax: number): Promise<readonly AcceptedReward[]>;
  /** Ends the wait of at most 1,000 rewards, which the caller has stored. */
  confirm(requestIds: readonly string[]): Promise<void>;
}

/** Makes {@link HandOverRewards}. */
export function makeHandOverRewards(store: Pick<RewardStore, 'take' | 'confirm'>): HandOverRewards {
  return {
    async take(countMax) {
      if (countMax < 1) throw appError('invalid_argument', 'At least one reward is taken.');
      checkCount(countMax);
      return store.take(countMax);
    },
    async confirm(requestIds) {
      checkCount(requestIds.length);
      if (requestIds.length > 0) await store.confirm(requestIds);
    },
  };
}

function checkCount(count: number): void {
  if (count > REWARDS_MAX) {
    throw appError('invalid_argument', `At most ${REWARDS_MAX} rewards are taken or confirmed in one call.`);
  }
}
