import { RewardServiceService } from '@placard/protos/events/v1/rewards.js';
import { implementService, type ImplementedService } from '@placard/service-kit/grpc';
import type { AcceptedReward } from '../domain/accepted-reward.js';
import type { HandOverRewards } from '../usecase/hand-over-rewards.js';

/** RewardService on the wire. */
export function implementRewardService(rewards: HandOverRewards): ImplementedService {
  return implementService(RewardServiceService, {
    async takeRewards({ countMax }) {
      return { rewards: (await rewards.take(countMax)).map(toWire) };
    },
    async confirmRewards({ requestIds }) {
      await rewards.confirm(requestIds);
      return {};
    },
  });
}

function toWire({ acceptedAtMs, ...reward }: AcceptedReward) {
  return { ...reward, acceptedAtMs: BigInt(acceptedAtMs) };
}
