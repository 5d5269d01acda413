import type { Clock } from '@placard/service-kit/pure';
import type { AcceptedRewards } from '../clients/accepted-rewards.js';
import type { CallbackStore, DueAttempt } from '../store/callbacks.js';

/** Most rewards that are collected together. */
export const COLLECTED_MAX = 500;

/** What {@link makeCollectRewards} needs. */
export interface CollectRewardsDeps {
  readonly accepted: AcceptedRewards;
  readonly callbacks: Pick<CallbackStore, 'add'>;
  readonly clock: Clock;
  /** Receives the first attempts of new callbacks, which are stored. */
  readonly onStored: (attempts: readonly DueAttempt[]) => void;
  readonly isStopping: () => boolean;
}

/**
 * Takes accepted rewards over until none waits: stores those whose placement has a callback, and confirms all. Whoever is killed
 * in between, a reward has one callback: it is taken again until it is confirmed, and stored once. Errors: `unavailable`,
 * `deadline_exceeded`.
 */
export function makeCollectRewards(deps: CollectRewardsDeps): () => Promise<void> {
  const { accepted, callbacks, clock, onStored, isStopping } = deps;
  return async () => {
    for (;;) {
      const rewards = await accepted.take(COLLECTED_MAX);
      if (rewards.length === 0) return;
      const stored = await callbacks.add(rewards, clock.now());
      if (stored.length > 0) onStored(stored);
      await accepted.confirm(rewards.map(({ requestId }) => requestId));
      if (rewards.length < COLLECTED_MAX || isStopping()) return;
    }
  };
}
