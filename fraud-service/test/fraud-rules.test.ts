import type { RedisClient } from '@placard/service-kit/redis';
import { asPlacementCode, asRequestId, asSessionId } from '@placard/service-kit/pure';
import { openTestRedis } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import type { FraudRule, RuleValues } from '../src/domain/fraud-rules.js';
import type { Judgement, Verdict } from '../src/domain/judgement.js';
import type { Click, Impression, Traffic } from '../src/domain/traffic.js';
import { makeRedisSessionCounters } from '../src/store/session-counters.redis.js';
import { makeJudgeTraffic } from '../src/usecase/judge-traffic.js';
import { START_MS, testAdRequest, testClick, testImpression, testRuleBook } from './traffic.js';

const HOUR_MS = 3_600_000;

let redis: RedisClient;
let sessionId = asSessionId('');
let sessionCount = 0;
before(async () => {
  ({ redis } = await openTestRedis());
});
after(() => redis.disconnect());
beforeEach(() => {
  sessionCount += 1;
  sessionId = asSessionId(`rules_${sessionCount}`);
});

/** Judges through the counters in Redis, as the service does. */
function makeSubject(values: Partial<RuleValues> = {}, shadowRules: readonly FraudRule[] = []) {
  const seen: Judgement[] = [];
  const judge = makeJudgeTraffic({
    counters: makeRedisSessionCounters(redis, null),
    ruleBook: testRuleBook(values, shadowRules),
    onJudgement: (_, judgement) => seen.push(judgement),
  });
  return {
    judge: (traffic: readonly Traffic[]): Promise<readonly Verdict[]> => Promise.all(traffic.map(judge)),
    /** For each judgement in turn, the rules in shadow mode that it reports. */
    shadowed: (): readonly (readonly FraudRule[])[] => seen.map((judgement) => judgement.shadowed),
  };
}

const adRequests = (length: number, afterMs = 0): Traffic[] =>
  Array.from({ length }, (_, n) =>
    testAdRequest({
      sessionId,
      requestId: asRequestId(`req_${afterMs}_${n}`),
      arrivedAtMs: START_MS + afterMs,
    }),
  );
const impressions = (length: number, overrides: Partial<Impression> = {}, from = 0): Impression[] =>
  Array.from({ length }, (_, n) =>
    testImpression({ sessionId, requestId: asRequestId(`imp_${from + n}`), ...overrides }),
  );
const clicks = (length: number, overrides: Partial<Click> = {}, from = 0): Click[] =>
  Array.from({ length }, (_, n) =>
    testClick({ sessionId, requestId: asRequestId(`imp_${from + n}`), ...overrides }),
  );

/** Expects that all verdicts but the last pass, and that a rule refuses the last. */
function expectLastRefused(verdicts: readonly Verdict[], rule: FraudRule): void {
  expect(verdicts.slice(0, -1)).to.deep.equal(Array(verdicts.length - 1).fill(null));
  expect(verdicts.at(-1)).to.equal(rule);
}

describe('the limit of ad requests per session and minute', () => {
  it('accepts 30 in any minute and refuses the next', async () => {
    const { judge } = makeSubject();
    expectLastRefused(await judge(adRequests(31)), 'ad_requests_per_minute');
    expect(await judge(adRequests(1, 59_999))).to.deep.equal(['ad_requests_per_minute']);
    expect(await judge(adRequests(1, 60_000))).to.deep.equal([null]);
  });
});

describe('the limit of impressions per banner placement, session and hour', () => {
  const table: readonly (readonly [refreshSeconds: number, factor: number, max: number])[] = [
    [30, 1.5, 180],
    [60, 1.5, 90],
    [45, 1.5, 120],
    [31, 1.5, 174], // 174.19…
    [50, 1.25, 90],
    [36, 1.15, 115], // 100 × 1.15 is 114.99… as a float
    [30, 1.1, 132], // 120 × 1.1 is 132.00…01 as a float
    [7, 0.000001, 0],
  ];
  for (const [bannerRefreshSeconds, factor, max] of table) {
    it(`is 3600 / ${bannerRefreshSeconds} x ${factor}, rounded down: ${max}`, async () => {
      const { judge } = makeSubject({ banner_impression_factor: factor });
      const verdicts = await judge(impressions(max + 1, { bannerRefreshSeconds }));
      expectLastRefused(verdicts, 'banner_impressions_per_hour');
    });
  }

  it('rolls, and applies to each placement separately', async () => {
    const { judge } = makeSubject({ banner_impression_factor: 0.01 });
    expectLastRefused(await judge(impressions(2)), 'banner_impressions_per_hour');
    const other = { placement: asPlacementCode('other') };
    expect(await judge(impressions(1, other, 10))).to.deep.equal([null]);
    const late = { arrivedAtMs: START_MS + HOUR_MS };
    expect(await judge(impressions(1, late, 20))).to.deep.equal([null]);
  });
});

describe('the limit of impressions per full-screen placement, session and hour', () => {
  it('accepts 60 and refuses the next, with any refresh time', async () => {
    const verdicts = await makeSubject().judge(impressions(61, { isBanner: false, bannerRefreshSeconds: 0 }));
    expectLastRefused(verdicts, 'fullscreen_impressions_per_hour');
  });
});

describe('the limit of impressions per session and hour', () => {
  it('accepts 720 on all placements together and refuses the next', async () => {
    const { judge } = makeSubject();
    const all = impressions(721).map((impression, n) => ({
      ...impression,
      placement: asPlacementCode(`p${n % 10}`),
    }));
    expectLastRefused(await judge(all), 'session_impressions_per_hour');
    const late = { placement: asPlacementCode('late'), arrivedAtMs: START_MS + HOUR_MS };
    expect(await judge(impressions(1, late, 1_000))).to.deep.equal([null]);
  });

  it('gives the verdict only when the limit of the placement does not', async () => {
    const { judge } = makeSubject({ session_impressions_per_hour: 2, banner_impression_factor: 1 / 60 });
    expectLastRefused(await judge(impressions(3)), 'banner_impressions_per_hour');
  });
});

describe('the least time from impression to click', () => {
  const table: readonly (readonly [delayMs: number, isTooSoon: boolean])[] = [
    [0, true],
    [999, true],
    [1_000, false],
    [1_001, false],
    [3_600_000, false],
    [-5, true], // the clocks of two instances differ
  ];
  for (const [delayMs, isTooSoon] of table) {
    it(`${isTooSoon ? 'rejects' : 'accepts'} a click ${delayMs} ms after its impression`, async () => {
      const verdicts = await makeSubject().judge(clicks(1, { arrivedAtMs: START_MS + delayMs }));
      expect(verdicts).to.deep.equal([isTooSoon ? 'click_delay' : null]);
    });
  }

  it('disables the rule when it is 0', async () => {
    const { judge } = makeSubject({ MIN_CLICK_DELAY_MS: 0 });
    expect(await judge(clicks(1, { arrivedAtMs: START_MS }))).to.deep.equal([null]);
    expect(await judge(clicks(1, { arrivedAtMs: START_MS - 5 }, 1))).to.deep.equal([null]);
  });

  it('does not count clicks that come too soon', async () => {
    const { judge } = makeSubject({ clicks_per_hour: 1 });
    const soon = await judge(clicks(3, { arrivedAtMs: START_MS }));
    expect(soon).to.deep.equal(['click_delay', 'click_delay', 'click_delay']);
    expect(await judge(clicks(1, {}, 3))).to.deep.equal([null]);
  });

  it('is checked while Redis is unavailable', async () => {
    const judge = makeJudgeTraffic({
      counters: { claim: () => Promise.reject(new Error('asked')) },
      ruleBook: testRuleBook(),
      onJudgement: () => undefined,
    });
    expect(await judge(testClick({ arrivedAtMs: START_MS }))).to.equal('click_delay');
  });
});

describe('the limit of clicks per session and hour', () => {
  it('accepts 20 and refuses the next', async () => {
    const { judge } = makeSubject();
    expectLastRefused(await judge(clicks(21)), 'clicks_per_hour');
    const late = { arrivedAtMs: START_MS + 2_000 + HOUR_MS };
    expect(await judge(clicks(1, late, 100))).to.deep.equal([null]);
  });

  it('gives the verdict before the click-through rate', async () => {
    const { judge } = makeSubject({ clicks_per_hour: 5 });
    await judge(impressions(10));
    expectLastRefused(await judge(clicks(6)), 'clicks_per_hour');
  });
});

describe('the click-through rate of a session', () => {
  const table: readonly (readonly [clicked: number, shown: number, isRejected: boolean])[] = [
    [0, 1, false],
    [8, 9, false], // fewer than 10 impressions: not judged
    [4, 10, false], // exactly 50 %
    [5, 10, true], // the sixth click would be 60 %
    [5, 11, true],
    [5, 12, false],
    [9, 10, true],
    [6, 13, true],
    [6, 14, false],
  ];
  for (const [clicked, shown, isRejected] of table) {
    it(`${isRejected ? 'rejects' : 'accepts'} a click after ${clicked} clicks and ${shown} impressions`, async () => {
      const { judge } = makeSubject();
      // Clicks pass while there are few impressions.
      expect(await judge(clicks(clicked))).to.deep.equal(Array(clicked).fill(null));
      await judge(impressions(shown));
      expect(await judge(clicks(1, {}, 100))).to.deep.equal([isRejected ? 'click_through_rate' : null]);
    });
  }

  for (const [rate, clicked] of [
    [0.7, 6],
    [0.1, 0],
  ] as const) {
    it(`may be exactly the limit, even if that is not a binary fraction: ${rate}`, async () => {
      const { judge } = makeSubject({ max_ctr: rate });
      await judge(clicks(clicked));
      await judge(impressions(10));
      expect(await judge(clicks(2, {}, 100))).to.deep.equal([null, 'click_through_rate']);
    });
  }
});

describe('a fraud rule in shadow mode', () => {
  it('refuses nothing, reports its refusals, and counts the traffic', async () => {
    const { judge, shadowed } = makeSubject({ ad_requests_per_minute: 2 }, ['ad_requests_per_minute']);
    expect(await judge(adRequests(4))).to.deep.equal([null, null, null, null]);
    const rule = 'ad_requests_per_minute';
    expect(shadowed()).to.deep.equal([[], [], [rule], [rule]]);
    expect(await redis.zcard(`{ses:${sessionId}}:fr:req`)).to.equal(4);
  });

  it('does not change the other rules', async () => {
    const { judge, shadowed } = makeSubject(
      { banner_impression_factor: 0.01, session_impressions_per_hour: 2 },
      ['banner_impressions_per_hour'],
    );
    expectLastRefused(await judge(impressions(3)), 'session_impressions_per_hour');
    const rule = 'banner_impressions_per_hour';
    expect(shadowed(), 'also when a later rule refuses the traffic').to.deep.equal([[], [rule], [rule]]);
  });

  it('reports nothing when an earlier rule refuses the traffic', async () => {
    const { judge, shadowed } = makeSubject(
      { banner_impression_factor: 0.01, session_impressions_per_hour: 1 },
      ['session_impressions_per_hour'],
    );
    expectLastRefused(await judge(impressions(2)), 'banner_impressions_per_hour');
    expect(shadowed()).to.deep.equal([[], []]);
  });

  it('reports nothing for a retry, which was judged before', async () => {
    const { judge, shadowed } = makeSubject({ ad_requests_per_minute: 1 }, ['ad_requests_per_minute']);
    const both = adRequests(2);
    await judge([...both, ...both]);
    expect(shadowed()).to.deep.equal([[], ['ad_requests_per_minute'], [], []]);
  });

  it('is reported together with other rules in shadow mode, with or without a counter', async () => {
    const { judge, shadowed } = makeSubject({ clicks_per_hour: 1, max_ctr: 0.1, ctr_min_impressions: 1 }, [
      'click_delay',
      'clicks_per_hour',
      'click_through_rate',
    ]);
    await judge(impressions(1));
    expect(await judge(clicks(2, { arrivedAtMs: START_MS }))).to.deep.equal([null, null]);
    expect(shadowed()).to.deep.equal([
      [],
      ['click_delay', 'click_through_rate'],
      ['click_delay', 'clicks_per_hour', 'click_through_rate'],
    ]);
  });
});
