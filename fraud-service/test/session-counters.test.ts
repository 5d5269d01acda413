import { makeTestScope, openTestRedis } from '@placard/service-kit/testing';
import { openRedis, type RedisClient } from '@placard/service-kit';
import { asPlacementCode, asRequestId, asSessionId } from '@placard/service-kit/pure';
import { expect } from 'chai';
import fc from 'fast-check';
import { adRequestClaim, clickClaim, impressionClaim, type Claim } from '../src/domain/claim.js';
import { SPECIFIED_THRESHOLDS, type Thresholds } from '../src/domain/thresholds.js';
import type { SessionCounters } from '../src/store/session-counters.js';
import { makeRedisSessionCounters } from '../src/store/session-counters.redis.js';
import { makeMemorySessionCounters } from './session-counters.memory.js';
import { describeSessionCounters } from './session-counters.suite.js';
import { LIFETIMES, START_MS, testAdRequest, testClick, testImpression } from './traffic.js';

let redis: RedisClient;
let counters: SessionCounters;
before(async () => {
  ({ redis } = await openTestRedis());
  counters = makeRedisSessionCounters(redis);
});
after(() => redis.disconnect());

const memoryCounters = makeMemorySessionCounters();
describeSessionCounters('in memory', () => memoryCounters);
describeSessionCounters('in Redis', () => counters);

/** Small numbers, so that every rule is met within a few steps. */
const TIGHT: Thresholds = {
  adRequestsPerMinute: 3,
  bannerImpressionFactor: 0.025,
  fullscreenImpressionsPerHour: 2,
  sessionImpressionsPerHour: 5,
  clicksPerHour: 3,
  ctrMax: 0.5,
  ctrImpressionsMin: 2,
  clickDelayMsMin: 0,
};

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

function toClaims(walk: readonly Step[], session: string): Claim[] {
  const sessionId = asSessionId(session);
  let atMs = START_MS;
  return walk.map(({ kind, id, placement, waitMs }) => {
    atMs += waitMs;
    const requestId = asRequestId(`req_${id}`);
    if (kind === 'ad_request') return adRequestClaim(testAdRequest({ sessionId, requestId, atMs }), TIGHT);
    const common = { sessionId, requestId, arrivedAtMs: atMs };
    if (kind === 'click') return clickClaim(testClick(common), TIGHT, LIFETIMES);
    const shown = testImpression({ ...common, format: kind, placement: asPlacementCode(`p${placement}`) });
    return impressionClaim(shown, TIGHT, LIFETIMES);
  });
}

describe('claim.lua', () => {
  it('decides as the domain does, whatever happens in a session', async () => {
    let sessionCount = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (walk) => {
        sessionCount += 1;
        const claims = toClaims(walk, `walk_${sessionCount}`);
        const memory = makeMemorySessionCounters();
        expect(await counters.claim(claims)).to.deep.equal(await memory.claim(claims));
      }),
      { numRuns: 150 },
    );
  });

  it('lets exactly the limit pass when everything comes at once over several connections', async () => {
    const others = await Promise.all([1, 2, 3].map(() => openTestRedis()));
    const replicas = others.map((other) => makeRedisSessionCounters(other.redis));
    for (let round = 0; round < 20; round += 1) {
      const sessionId = asSessionId(`rush_${round}`);
      const verdicts = await Promise.all(
        Array.from({ length: 90 }, (_, n) => {
          const adRequest = testAdRequest({ sessionId, requestId: asRequestId(`r${n}`), atMs: START_MS + n });
          return replicas[n % 3]!.claim([adRequestClaim(adRequest, SPECIFIED_THRESHOLDS)]);
        }),
      );
      expect(verdicts.flat().filter((verdict) => verdict === null)).to.have.length(30);
    }
    for (const other of others) other.redis.disconnect();
  });

  it('counts a request once when its copies come at once', async () => {
    const claimOf = (id: string): Claim =>
      adRequestClaim(testAdRequest({ sessionId: asSessionId('copies'), requestId: asRequestId(id) }), TIGHT);
    const copies = await Promise.all(Array.from({ length: 50 }, () => counters.claim([claimOf('a')])));
    expect(copies.flat()).to.deep.equal(Array(50).fill(null));
    expect(await counters.claim(['b', 'c', 'd'].map(claimOf))).to.deep.equal([
      null,
      null,
      'ad_requests_per_minute',
    ]);
  });

  it('gives every key the hash tag of its session and an expiry within its window', async () => {
    const sessionId = asSessionId('keys');
    const session = { sessionId, sessionExpiresAtMs: START_MS + 3_600_000 };
    await counters.claim([
      adRequestClaim(testAdRequest({ sessionId }), SPECIFIED_THRESHOLDS),
      impressionClaim(testImpression(session), SPECIFIED_THRESHOLDS, LIFETIMES),
      clickClaim(testClick(session), SPECIFIED_THRESHOLDS, LIFETIMES),
    ]);
    const keys = await redis.keys('*keys*');
    const ttlsMs = new Map<string, number>();
    for (const key of keys) ttlsMs.set(key, await redis.pttl(key));
    expect([...ttlsMs.keys()].sort()).to.deep.equal([
      '{ses:keys}:fr:clk',
      '{ses:keys}:fr:imp',
      '{ses:keys}:fr:imp:home_banner',
      '{ses:keys}:fr:req',
    ]);
    expect(ttlsMs.get('{ses:keys}:fr:req')).to.be.within(1, 60_000);
    expect(ttlsMs.get('{ses:keys}:fr:imp:home_banner')).to.be.within(3_590_000, 3_600_000);
    expect(ttlsMs.get('{ses:keys}:fr:imp')).to.be.within(5_390_000, 5_400_000);
    expect(ttlsMs.get('{ses:keys}:fr:clk')).to.be.within(5_390_000, 5_400_000);
  });

  it('gives a key that has lost its expiry one again, also when it refuses', async () => {
    const sessionId = asSessionId('damaged');
    const claimAt = (id: string, atMs: number): Claim =>
      adRequestClaim(testAdRequest({ sessionId, requestId: asRequestId(id), atMs }), TIGHT);
    await counters.claim(['a', 'b', 'c'].map((id) => claimAt(id, START_MS)));
    await redis.persist('{ses:damaged}:fr:req');
    expect(await counters.claim([claimAt('d', START_MS + 1)])).to.deep.equal(['ad_requests_per_minute']);
    expect(await redis.pttl('{ses:damaged}:fr:req')).to.be.within(1, 60_000);
    expect(await counters.claim([claimAt('e', START_MS + 60_000)])).to.deep.equal([null]);
  });

  it('does not prolong a key by what it refuses', async () => {
    const claimOf = (id: string): Claim =>
      adRequestClaim(testAdRequest({ sessionId: asSessionId('refused'), requestId: asRequestId(id) }), TIGHT);
    await counters.claim(['a', 'b', 'c'].map(claimOf));
    await redis.pexpire('{ses:refused}:fr:req', 5_000);
    await counters.claim(['d', 'e'].map(claimOf));
    expect(await redis.pttl('{ses:refused}:fr:req')).to.be.within(1, 5_000);
  });

  it('keeps few entries however long a session lasts', async () => {
    const sessionId = asSessionId('long');
    for (let second = 0; second < 600; second += 1) {
      const adRequest = testAdRequest({
        sessionId,
        requestId: asRequestId(`r${second}`),
        atMs: START_MS + second * 1_000,
      });
      await counters.claim([adRequestClaim(adRequest, SPECIFIED_THRESHOLDS)]);
    }
    expect(await redis.zcard('{ses:long}:fr:req')).to.be.at.most(60);
  });

  it('works on after the script was flushed from Redis', async () => {
    await redis.script('FLUSH');
    const claims = Array.from({ length: 5 }, (_, n) =>
      adRequestClaim(
        testAdRequest({ sessionId: asSessionId('flushed'), requestId: asRequestId(`r${n}`) }),
        TIGHT,
      ),
    );
    const verdicts = await counters.claim(claims);
    expect(verdicts.filter((verdict) => verdict === null)).to.have.length(3);
  });

  it('fails with `unavailable` while Redis is away', async () => {
    const scope = makeTestScope();
    const away = makeRedisSessionCounters(openRedis(scope, { url: 'redis://127.0.0.1:1', name: 'away' }));
    const claim = adRequestClaim(testAdRequest(), SPECIFIED_THRESHOLDS);
    const error: unknown = await away.claim([claim, claim]).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 'unavailable');
    await scope.close();
  });
});
