import { asAppId, asPlacementCode, asPublisherId, asRequestId, DAY_MS } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { bodyOf, callbackIdOf, nextAttemptAt } from './reward-callback.js';

const REQUEST_ID = asRequestId('req_019abc0d2f6e7a1b2c3d4e5f60718293');

/** The pauses of a round whose attempts all fail, in seconds. */
function pausesOf(attemptMs: number): readonly number[] {
  const pauses: number[] = [];
  for (let nowMs = attemptMs, attempts = 1; ; attempts += 1) {
    const nextAtMs = nextAttemptAt(attempts, { roundAtMs: 0, nowMs });
    if (nextAtMs === null) return pauses;
    pauses.push((nextAtMs - nowMs) / 1_000);
    nowMs = nextAtMs + attemptMs;
  }
}

describe('the attempts of a callback', () => {
  it('have pauses that double from ten seconds to an hour, for a day', () => {
    const pauses = pausesOf(0);
    expect(pauses.slice(0, 11)).to.deep.equal([10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]);
    const sum = pauses.reduce((seconds, pause) => seconds + pause, 0);
    expect(sum).to.be.within(DAY_MS / 1_000 - 3_600, DAY_MS / 1_000);
  });

  it('end with the day, however long each of them takes', () => {
    expect(pausesOf(10_000).length).to.be.lessThan(pausesOf(0).length + 1);
    expect(nextAttemptAt(1, { roundAtMs: 0, nowMs: DAY_MS })).to.equal(null);
    expect(nextAttemptAt(1, { roundAtMs: 0, nowMs: DAY_MS - 10_000 })).to.equal(DAY_MS);
  });
});

describe('the body of a callback', () => {
  it('has ids, the item and its amount, and neither money nor an address', () => {
    const body = bodyOf({
      requestId: REQUEST_ID,
      publisherId: asPublisherId('pub_sunrise'),
      appId: asAppId('app_sunrise_puzzle'),
      placement: asPlacementCode('extra_life'),
      item: 'coins',
      amount: 50,
      isTest: false,
      rewardedAtMs: Date.UTC(2026, 4, 4, 12),
    });
    expect(JSON.parse(body)).to.deep.equal({
      id: 'rwd_019abc0d2f6e7a1b2c3d4e5f60718293',
      type: 'reward.accepted',
      request_id: REQUEST_ID,
      app: 'app_sunrise_puzzle',
      placement: 'extra_life',
      item: 'coins',
      amount: 50,
      rewarded_at: '2026-05-04T12:00:00.000Z',
      test: false,
    });
  });

  it('has an id that follows from the ad', () => {
    expect(callbackIdOf(REQUEST_ID)).to.equal('rwd_019abc0d2f6e7a1b2c3d4e5f60718293');
  });
});
