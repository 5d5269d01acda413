import { expect } from 'chai';
import { makeTestClock } from '@placard/service-kit/testing';
import { asAdvertiserId, asCampaignId, minuteOf } from '@placard/service-kit/pure';
import { makeWatchReservations, type WatchReservations } from './watch-reservations.js';

const SHARDS = 64;
const NOON = Date.UTC(2026, 4, 1, 12);

/** With nothing to compare; `flushReport` is the first step of each comparison. */
function open(flushReport: () => Promise<void>): WatchReservations {
  return makeWatchReservations({
    budgets: {
      openMinutes: () => Promise.resolve([]),
      heldBy: () => Promise.resolve([]),
      raise: () => Promise.resolve(0n),
    },
    spend: { reportReservations: () => Promise.resolve([]) },
    flushReport,
    clock: makeTestClock(NOON),
  });
}

describe('comparing all open minutes', () => {
  it('is done twice at most for all shards that ask at once, and each has one that began after it asked', async () => {
    let begun = 0;
    const watch = open(async () => {
      begun += 1;
      await new Promise((resolve) => setImmediate(resolve));
    });
    const first = watch.whole('0');
    while (begun === 0) await Promise.resolve();
    const others = Array.from({ length: SHARDS }, async (_, index) => {
      await watch.whole(String(index + 1));
      expect(begun).to.equal(2);
    });
    await Promise.all([first, ...others]);
  });

  it('names a campaign-minute once, also where the campaign was made again under another advertiser', async () => {
    const held = {
      campaignId: asCampaignId('cmp_a'),
      minute: minuteOf(NOON),
      expiresAtMs: NOON + 1_000,
      reservedNanos: 5n,
      shownNanos: 0n,
      openCount: 1,
      generation: '1',
    };
    const both = ['adv_one', 'adv_two'].map((id) => ({ ...held, advertiserId: asAdvertiserId(id) }));
    const asked: number[] = [];
    const watch = makeWatchReservations({
      budgets: {
        openMinutes: () => Promise.resolve(both),
        heldBy: () => Promise.resolve(both),
        raise: () => Promise.resolve(0n),
      },
      spend: {
        reportReservations(minutes) {
          asked.push(minutes.length);
          return Promise.resolve([]);
        },
      },
      flushReport: () => Promise.resolve(),
      clock: makeTestClock(NOON),
    });
    await watch.whole('1');
    expect(asked).to.eql([1]);
  });

  it('goes on after one that failed', async () => {
    let isDown = true;
    const watch = open(() => (isDown ? Promise.reject(new Error('down')) : Promise.resolve()));
    const failure: unknown = await watch.whole('1').catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
    isDown = false;
    await watch.whole('2');
  });
});
