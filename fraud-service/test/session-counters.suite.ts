import { asPlacementCode, asRequestId, asSessionId } from '@placard/service-kit/pure';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Claim } from '../src/domain/claim.js';
import { defaultValues, fraudRules, type FraudRule, type RuleValues } from '../src/domain/fraud-rules.js';
import type { Verdict } from '../src/domain/judgement.js';
import type { SessionCounters } from '../src/store/session-counters.js';
import { makeCountersModel } from './counters.model.js';
import { START_MS, testAdRequest, testClick, testImpression, testRuleBook } from './traffic.js';

const HOUR_MS = 3_600_000;
let sessionCount = 0;

/** Small numbers, so that every limit is reached within a few steps. */
export const TIGHT_VALUES: RuleValues = {
  ...defaultValues,
  ad_requests_per_minute: 3,
  banner_impression_factor: 0.025,
  fullscreen_impressions_per_hour: 2,
  session_impressions_per_hour: 5,
  clicks_per_hour: 3,
  max_ctr: 0.5,
  ctr_min_impressions: 2,
  MIN_CLICK_DELAY_MS: 0,
};
const COUNTING_RULES = fraudRules.filter(({ kind }) => kind !== 'plain').map(({ code }) => code);

/** One thing that happens in a session. */
interface Step {
  readonly kind: 'ad_request' | 'banner' | 'rewarded' | 'click';
  readonly id: number;
  readonly placement: number;
  readonly waitMs: number;
}

const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom('ad_request', 'banner', 'rewarded', 'click'),
    id: fc.integer({ min: 0, max: 30 }),
    placement: fc.integer({ min: 0, max: 1 }),
    waitMs: fc.oneof(fc.constantFrom(-20, 0, 1, 59_999, 60_000, 3_599_999, 3_600_000), fc.nat(4_000_000)),
  }),
  { maxLength: 60 },
);

/** The claims of a walk, some rules of which are in shadow mode. */
function toClaims(walk: readonly Step[], session: string, shadowRules: readonly FraudRule[]): Claim[] {
  const ruleBook = testRuleBook(TIGHT_VALUES, shadowRules);
  const sessionId = asSessionId(session);
  let arrivedAtMs = START_MS;
  return walk.map(({ kind, id, placement, waitMs }) => {
    arrivedAtMs += waitMs;
    const common = { sessionId, requestId: asRequestId(`req_${id}`), arrivedAtMs };
    if (kind === 'ad_request') return ruleBook.claim(testAdRequest(common));
    if (kind === 'click') return ruleBook.claim(testClick(common));
    const shown = testImpression({
      ...common,
      isBanner: kind === 'banner',
      placement: asPlacementCode(`p${placement}`),
    });
    return ruleBook.claim(shown);
  });
}

/**
 * The behaviour of every implementation of the counters. Counters of `open` may be the same for all tests, because each
 * test has its own sessions.
 */
export function describeSessionCounters(name: string, open: () => SessionCounters): void {
  describe(`session counters ${name}`, () => {
    let subject: SessionCounters;
    let sessionId = asSessionId('');
    beforeEach(() => {
      subject = open();
      sessionCount += 1;
      sessionId = asSessionId(`suite_${name}_${sessionCount}`);
    });

    const adRequest = (id: string, afterMs: number, max = 3): Claim =>
      testRuleBook({ ad_requests_per_minute: max }).claim(
        testAdRequest({ sessionId, requestId: asRequestId(id), arrivedAtMs: START_MS + afterMs }),
      );
    const impression = (id: string, afterMs: number, placement: string, values: Partial<RuleValues>): Claim =>
      testRuleBook(values).claim(
        testImpression({
          sessionId,
          requestId: asRequestId(id),
          placement: asPlacementCode(placement),
          isBanner: false,
          arrivedAtMs: START_MS + afterMs,
        }),
      );
    const click = (id: string, afterMs: number, values: Partial<RuleValues> = {}): Claim =>
      testRuleBook(values).claim(
        testClick({ sessionId, requestId: asRequestId(id), arrivedAtMs: START_MS + afterMs }),
      );
    const claim = async (...claims: Claim[]): Promise<readonly Verdict[]> => {
      const judgements = await Promise.all(claims.map((one) => subject.claim(one)));
      return judgements.map(({ verdict }) => verdict);
    };

    it('accept requests up to the limit and refuse requests over it', async () => {
      expect(
        await claim(adRequest('a', 0), adRequest('b', 1), adRequest('c', 2), adRequest('d', 3)),
      ).to.deep.equal([null, null, null, 'ad_requests_per_minute']);
    });

    it('roll: a request counts for exactly one window after its arrival', async () => {
      await claim(adRequest('a', 0), adRequest('b', 30_000), adRequest('c', 59_999));
      expect(await claim(adRequest('d', 59_999))).to.deep.equal(['ad_requests_per_minute']);
      expect(await claim(adRequest('e', 60_000))).to.deep.equal([null]);
      expect(await claim(adRequest('f', 89_999))).to.deep.equal(['ad_requests_per_minute']);
      expect(await claim(adRequest('g', 90_000))).to.deep.equal([null]);
    });

    it('do not accept twice the limit around a full minute', async () => {
      const burst = (from: number, afterMs: number): Claim[] =>
        Array.from({ length: 120 }, (_, n) => adRequest(`r${from + n}`, afterMs + n * 3, 30));
      // START_MS is a whole minute: 400 ms before its edge and 400 ms after it.
      const verdicts = [...(await claim(...burst(0, -400))), ...(await claim(...burst(200, 0)))];
      expect(verdicts.filter((verdict) => verdict === null)).to.have.length(30);
    });

    it('do not start again at midnight, in any time zone', async () => {
      const rules = { fullscreen_impressions_per_hour: 1 };
      // START_MS is noon UTC. Each whole hour is midnight somewhere.
      for (let hour = 0; hour < 24; hour += 1) {
        const midnightMs = hour * 1.5 * HOUR_MS;
        expect(await claim(impression(`a${hour}`, midnightMs - 600_000, 'left', rules))).to.deep.equal([
          null,
        ]);
        expect(await claim(impression(`b${hour}`, midnightMs, 'left', rules))).to.deep.equal([
          'fullscreen_impressions_per_hour',
        ]);
      }
    });

    it('do not count refused requests, so that a client recovers', async () => {
      await claim(adRequest('a', 0), adRequest('b', 0), adRequest('c', 0));
      for (let second = 1; second < 60; second += 1) {
        expect(await claim(adRequest(`x${second}`, second * 1_000))).to.deep.equal([
          'ad_requests_per_minute',
        ]);
      }
      expect(await claim(adRequest('d', 60_000))).to.deep.equal([null]);
    });

    it('accept a repeated request again and count it once', async () => {
      expect(await claim(adRequest('a', 0), adRequest('a', 5), adRequest('a', 9))).to.deep.equal([
        null,
        null,
        null,
      ]);
      expect(await claim(adRequest('b', 10), adRequest('c', 10), adRequest('d', 10))).to.deep.equal([
        null,
        null,
        'ad_requests_per_minute',
      ]);
      expect(await claim(adRequest('a', 11))).to.deep.equal([null]);
    });

    it('count a request once when its copies arrive at once', async () => {
      const copies = Array.from({ length: 50 }, () => adRequest('a', 0));
      expect(await claim(...copies)).to.deep.equal(copies.map(() => null));
      expect(await claim(adRequest('b', 1), adRequest('c', 1), adRequest('d', 1))).to.deep.equal([
        null,
        null,
        'ad_requests_per_minute',
      ]);
    });

    it('count a repeated request from its first arrival on', async () => {
      await claim(adRequest('a', 0, 1), adRequest('a', 30_000, 1));
      expect(await claim(adRequest('b', 59_999, 1), adRequest('c', 60_000, 1))).to.deep.equal([
        'ad_requests_per_minute',
        null,
      ]);
    });

    it('count requests that arrive slightly out of order', async () => {
      await claim(adRequest('a', 50), adRequest('b', 40), adRequest('c', 30));
      expect(await claim(adRequest('d', 20))).to.deep.equal(['ad_requests_per_minute']);
      expect(await claim(adRequest('e', 60_039))).to.deep.equal([null]);
      expect(await claim(adRequest('f', 60_039))).to.deep.equal(['ad_requests_per_minute']);
    });

    it('count each session separately', async () => {
      await claim(adRequest('a', 0, 1));
      sessionId = asSessionId(`${sessionId}_other`);
      expect(await claim(adRequest('b', 0, 1))).to.deep.equal([null]);
    });

    it('count each placement separately, and the session over all of them', async () => {
      const rules = { fullscreen_impressions_per_hour: 2, session_impressions_per_hour: 4 };
      const verdicts = await claim(
        impression('a1', 0, 'left', rules),
        impression('a2', 1, 'left', rules),
        impression('a3', 2, 'left', rules),
        impression('b1', 3, 'right', rules),
        impression('b2', 4, 'right', rules),
        impression('c1', 5, 'top', rules),
      );
      expect(verdicts).to.deep.equal([
        null,
        null,
        'fullscreen_impressions_per_hour',
        null,
        null,
        'session_impressions_per_hour',
      ]);
      // One hour after the first impression one more may follow. That of `left` may, too.
      expect(await claim(impression('a4', HOUR_MS, 'left', rules))).to.deep.equal([null]);
      expect(await claim(impression('c2', HOUR_MS, 'top', rules))).to.deep.equal([
        'session_impressions_per_hour',
      ]);
    });

    it('accept a repeated impression again even when its placement is full', async () => {
      const rules = { fullscreen_impressions_per_hour: 1 };
      await claim(impression('a', 0, 'left', rules));
      expect(await claim(impression('b', 1, 'left', rules))).to.deep.equal([
        'fullscreen_impressions_per_hour',
      ]);
      expect(await claim(impression('a', 2, 'left', rules))).to.deep.equal([null]);
    });

    it('judge the click-through rate over the life of the session, without a window', async () => {
      for (let n = 0; n < 10; n += 1) await claim(impression(`i${n}`, n, 'left', {}));
      for (let n = 0; n < 5; n += 1) expect(await claim(click(`i${n}`, 5_000))).to.deep.equal([null]);
      expect(await claim(click('i5', 5_000))).to.deep.equal(['click_through_rate']);
      // All impressions are outside the window of an hour. The rate is the same.
      expect(await claim(click('i6', 2 * HOUR_MS))).to.deep.equal(['click_through_rate']);
      await claim(impression('i10', 2 * HOUR_MS, 'left', {}), impression('i11', 2 * HOUR_MS, 'left', {}));
      expect(await claim(click('i6', 2 * HOUR_MS))).to.deep.equal([null]);
    });

    it('give the verdict for clicks per hour before the rate', async () => {
      for (let n = 0; n < 10; n += 1) await claim(impression(`i${n}`, n, 'left', {}));
      const rules = { clicks_per_hour: 5 };
      for (let n = 0; n < 5; n += 1) await claim(click(`i${n}`, 5_000, rules));
      expect(await claim(click('i5', 5_000, rules))).to.deep.equal(['clicks_per_hour']);
      expect(await claim(click('i0', 6_000, rules))).to.deep.equal([null]);
    });

    it('distinguish a click from its impression', async () => {
      const rules = { session_impressions_per_hour: 1 };
      await claim(click('a', 0));
      expect(await claim(impression('a', 0, 'left', rules))).to.deep.equal([null]);
      expect(await claim(impression('b', 0, 'left', rules))).to.deep.equal(['session_impressions_per_hour']);
    });

    it('name a rule in shadow mode that would have refused a request, and count the request', async () => {
      const inShadow = testRuleBook({ ad_requests_per_minute: 1 }, ['ad_requests_per_minute']);
      const judge = (id: string) =>
        subject.claim(inShadow.claim(testAdRequest({ sessionId, requestId: asRequestId(id) })));
      expect(await judge('a')).to.deep.equal({ verdict: null, shadowed: [] });
      expect(await judge('b')).to.deep.equal({ verdict: null, shadowed: ['ad_requests_per_minute'] });
      expect(await claim(adRequest('c', 1, 2))).to.deep.equal(['ad_requests_per_minute']);
    });

    it('decide like a model with plain lists, for any sequence in a session', async () => {
      const property = fc.asyncProperty(steps, fc.subarray(COUNTING_RULES), async (walk, shadowRules) => {
        sessionCount += 1;
        const claims = toClaims(walk, `suite_${name}_${sessionCount}`, shadowRules);
        const judgements = await Promise.all(claims.map((one) => subject.claim(one)));
        expect(judgements).to.deep.equal(claims.map(makeCountersModel()));
      });
      await fc.assert(property, { numRuns: 150 });
    });
  });
}
