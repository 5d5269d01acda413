import { asAppId, asPlacementCode, asPublisherId, asRequestId } from '@placard/service-kit/pure';
import type { AcceptedRewards } from '../../src/rewards/clients/accepted-rewards.js';
import type { Reward } from '../../src/rewards/domain/reward-callback.js';

const appOf = (letter: string, url: string) => ({
  id: `app_${letter}`,
  app_key: `app_${letter.repeat(24)}`,
  package_name: `org.${letter}`,
  name: letter,
  placements: [
    { code: 'video', format: 'rewarded', reward: { item: 'coins', amount: 50, callback_url: url } },
    { code: 'plain', format: 'rewarded' },
  ],
});

/** A catalog of two publishers, `pub_a` and `pub_b`, whose placement `video` has a callback. */
export function rewardedCatalog(url: string, otherUrl: string): string {
  return JSON.stringify({
    publishers: [
      { id: 'pub_a', name: 'A', revenue_share: 0.5, apps: [appOf('a', url)] },
      { id: 'pub_b', name: 'B', revenue_share: 0.5, apps: [appOf('b', otherUrl)] },
    ],
  });
}

/** A reward of the placement `video` of `app_a`. Its ad is the `number`th one. */
export function rewardOf(number: number, overrides: Partial<Reward> = {}): Reward {
  return {
    requestId: asRequestId(`req_${String(number).padStart(32, '0')}`),
    publisherId: asPublisherId('pub_a'),
    appId: asAppId('app_a'),
    placement: asPlacementCode('video'),
    isTest: false,
    rewardedAtMs: Date.UTC(2026, 4, 1, 11, 59),
    ...overrides,
  };
}

/** {@link rewardOf} the placement `video` of `app_b`. */
export function otherRewardOf(number: number): Reward {
  return rewardOf(number, { publisherId: asPublisherId('pub_b'), appId: asAppId('app_b') });
}

/** A stand-in for what events-service keeps. */
export interface RewardSource extends AcceptedRewards {
  readonly waiting: Map<string, Reward>;
  /** So many confirmations fail, as if the process that makes them was killed. */
  lostConfirmations: number;
}

/** Makes a {@link RewardSource} of rewards. */
export function makeRewardSource(...rewards: readonly Reward[]): RewardSource {
  const source: RewardSource = {
    waiting: new Map(rewards.map((reward) => [reward.requestId, reward])),
    lostConfirmations: 0,
    take: (countMax) => Promise.resolve([...source.waiting.values()].slice(0, countMax)),
    confirm(requestIds) {
      if (source.lostConfirmations > 0) {
        source.lostConfirmations -= 1;
        return Promise.reject(new Error('killed'));
      }
      for (const id of requestIds) source.waiting.delete(id);
      return Promise.resolve();
    },
  };
  return source;
}
