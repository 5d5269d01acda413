import type { RedisClient } from '@placard/service-kit';
import { budgetKeys } from './budget-keys.js';
import type { PaceStore } from './pace-store.js';

/** What `budget-close.lua` has learned, from the campaigns' counters in Redis; `shards` as of the budgets. */
export function makeRedisPaces(redis: RedisClient, shards: number): PaceStore {
  return {
    closedFills: (campaigns) =>
      Promise.all(
        campaigns.map(async ({ campaignId, advertiserId }) => {
          const key = budgetKeys(advertiserId, shards).total(campaignId);
          const [shown, unshown, late] = await redis.hmget(key, 'ps', 'pu', 'pl');
          return {
            shownNanos: toNumber(shown),
            unshownNanos: toNumber(unshown),
            lateNanos: toNumber(late),
          };
        }),
      ),
  };
}

function toNumber(text: string | null | undefined): number {
  const value = Number(text ?? '0');
  return Number.isFinite(value) && value > 0 ? value : 0;
}
