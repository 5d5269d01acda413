import { RewardServiceService } from '@placard/protos/events/v1/rewards.js';
import type { Scope } from '@placard/service-kit';
import { openGrpcClient } from '@placard/service-kit/grpc';
import { asAppId, asPlacementCode, asPublisherId, asRequestId } from '@placard/service-kit/pure';
import type { Reward } from '../domain/reward-callback.js';

/** Accepted rewards, which events-service keeps until they are confirmed. Errors of both: `unavailable`, `deadline_exceeded`. */
export interface AcceptedRewards {
  /** The oldest ones, at most `countMax` (1 to 1,000). They go on waiting. */
  take(countMax: number): Promise<readonly Reward[]>;
  /** These are stored, and wait no longer. */
  confirm(requestIds: readonly string[]): Promise<void>;
}

const BUDGET_MS = 5_000;

/** Opens the client of events-service's RewardService. */
export function openAcceptedRewards(scope: Scope, address: string): AcceptedRewards {
  const client = openGrpcClient(scope, RewardServiceService, {
    address,
    name: 'events-service',
    budgetMs: BUDGET_MS,
  });
  return {
    async take(countMax) {
      const { rewards } = await client.takeRewards({ countMax });
      return rewards.map((reward) => ({
        requestId: asRequestId(reward.requestId),
        publisherId: asPublisherId(reward.publisherId),
        appId: asAppId(reward.appId),
        placement: asPlacementCode(reward.placement),
        isTest: reward.isTest,
        rewardedAtMs: Number(reward.acceptedAtMs),
      }));
    },
    async confirm(requestIds) {
      await client.confirmRewards({ requestIds: [...requestIds] });
    },
  };
}
