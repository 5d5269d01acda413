import { makeTestRandom } from '@placard/service-kit/testing';
import { expect } from 'chai';
import fc from 'fast-check';
import { NOON } from '../../../test/support/world.js';
import { FunnelShare, JUDGED_MAX, judgedMaxOf, WHOLE_CAMPAIGNS_MAX, WINDOW_MS } from './funnel-share.js';

/** Requests of each window, and the generator of the draws. */
interface Traffic {
  readonly windows: readonly number[];
  readonly seed: number;
}

/** Judges the requests of the windows, evenly in each. */
function judge({ windows, seed }: Traffic, judgedMax = JUDGED_MAX) {
  const share = new FunnelShare();
  const random = makeTestRandom(seed);
  return windows.map((requests, window) => {
    const sums = { requests, judged: 0, estimate: 0 };
    for (let n = 0; n < requests; n += 1) {
      const atMs = NOON + Math.floor((window + n / requests) * WINDOW_MS);
      const probability = share.next(atMs, judgedMax);
      if (random.next() >= probability) continue;
      sums.judged += 1;
      sums.estimate += 1 / probability;
    }
    return sums;
  });
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const seed = fc.integer({ min: 1, max: 1_000_000 });
const lengths = fc.integer({ min: 2, max: 8 });
const rate = fc.integer({ min: 0, max: 20_000 });
const steady = fc.tuple(lengths, rate).map(([length, each]) => Array<number>(length).fill(each));
const ramping = fc
  .tuple(lengths, rate, rate)
  .map(([length, first, last]) =>
    Array.from({ length }, (_, n) => Math.round(first + ((last - first) * n) / (length - 1))),
  );
const bursty = fc.array(fc.oneof(fc.integer({ min: 0, max: 50 }), rate), { minLength: 2, maxLength: 8 });

describe('the share of requests that are judged for funnels', () => {
  for (const [name, windows] of Object.entries({ steady, ramping, bursty }))
    it(`estimates the true number of requests at a ${name} rate`, () => {
      fc.assert(
        fc.property(fc.record({ windows, seed }), (traffic) => {
          const requests = sumOf(traffic.windows);
          const estimate = sumOf(judge(traffic).map((one) => one.estimate));
          expect(estimate).to.be.closeTo(requests, requests * 0.25);
        }),
        { numRuns: 60 },
      );
    });

  it('is unbiased: the mean estimate of many bursts is their true number', () => {
    const windows = [10, 9_000, 300, 0, 2_000, 2_000];
    const runs = Array.from({ length: 60 }, (_, n) => judge({ windows, seed: n + 1 }));
    for (const [window, requests] of windows.entries()) {
      const mean = sumOf(runs.map((run) => run[window]?.estimate ?? 0)) / runs.length;
      expect(mean, `window ${window}`).to.be.closeTo(requests, requests * 0.08);
    }
  });

  it('is everything while no window has more requests than may be judged', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: JUDGED_MAX })), seed, (windows, random) => {
        for (const { requests, judged, estimate } of judge({ windows, seed: random }))
          expect([judged, estimate]).to.deep.equal([requests, requests]);
      }),
      { numRuns: 30 },
    );
  });

  it('is everything again one window after a burst', () => {
    const [, , after, later] = judge({ windows: [0, 10_000, 400, 400], seed: 3 });
    expect(after?.judged).to.be.below(100);
    expect(later?.judged).to.equal(400);
    const share = new FunnelShare();
    for (let n = 0; n < 10_000; n += 1) share.next(NOON, JUDGED_MAX);
    expect(share.next(NOON + 2 * WINDOW_MS, JUDGED_MAX), 'after a pause').to.equal(1);
    for (let n = 0; n < 10_000; n += 1) share.next(NOON, JUDGED_MAX);
    expect(share.next(NOON - WINDOW_MS, JUDGED_MAX), 'after the clock was set back').to.equal(1);
  });

  it('takes about as many requests as may be judged, and little more in a sudden burst', () => {
    fc.assert(
      fc.property(fc.record({ windows: bursty, seed }), (traffic) => {
        for (const { requests, judged } of judge(traffic)) {
          const most = JUDGED_MAX * (1 + Math.log(Math.max(1, requests / JUDGED_MAX)));
          expect(judged).to.be.at.most(most + 6 * Math.sqrt(most));
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('the requests that may be judged', () => {
  it('are fewer in a larger catalog, and as many in the largest as in the largest that is judged whole', () => {
    expect([0, 1, 64, 128, WHOLE_CAMPAIGNS_MAX, 20_000].map(judgedMaxOf)).to.deep.equal([
      500, 500, 500, 250, 125, 125,
    ]);
  });
});
