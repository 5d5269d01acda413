import type { Tracing } from '@placard/service-kit';
import { openRedis, type RedisClient } from '@placard/service-kit/redis';
import { asRequestId, asSessionId } from '@placard/service-kit/pure';
import { makeTestScope } from '@placard/service-kit/testing';
import { openTestRedis } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import type { Claim } from '../src/domain/claim.js';
import type { Judgement, Verdict } from '../src/domain/judgement.js';
import type { SessionCounters } from '../src/store/session-counters.js';
import { makeRedisSessionCounters } from '../src/store/session-counters.redis.js';
import { makeModelCounters } from './counters.model.js';
import { describeSessionCounters, TIGHT_VALUES } from './session-counters.suite.js';
import { START_MS, testAdRequest, testClick, testImpression, testRuleBook } from './traffic.js';

/** Keys may live so much longer than is needed. */
const SPARE_MS = 60_000;
const HOUR_MS = 3_600_000;

let redis: RedisClient;
let counters: SessionCounters;
before(async () => {
  ({ redis } = await openTestRedis());
  counters = makeRedisSessionCounters(redis, null);
});
after(() => redis.disconnect());

/** The keys of each script that was sent. */
interface Scripts {
  readonly counters: SessionCounters;
  readonly keysOfScripts: (readonly string[])[];
}

/** Counters that record the scripts they send, to a single Redis or to a cluster. */
function watchScripts(isCluster: boolean, tracing: Tracing | null = null): Scripts {
  const keysOfScripts: (readonly string[])[] = [];
  const watched = {
    isCluster,
    evalsha: (hash: string, keyCount: number, ...rest: (string | number)[]) => {
      keysOfScripts.push(rest.slice(0, keyCount).map(String));
      return redis.evalsha(hash, keyCount, ...rest);
    },
    eval: (text: string, keyCount: number, ...rest: (string | number)[]) =>
      redis.eval(text, keyCount, ...rest),
  };
  return { counters: makeRedisSessionCounters(watched as unknown as RedisClient, tracing), keysOfScripts };
}

describeSessionCounters('in Redis', () => counters);
describeSessionCounters('in a cluster of Redis', () => watchScripts(true).counters);
describeSessionCounters('in the model', makeModelCounters);

const claimAll = (claims: readonly Claim[], of = counters): Promise<readonly Judgement[]> =>
  Promise.all(claims.map((claim) => of.claim(claim)));
const verdictsOf = async (claims: readonly Claim[], of = counters): Promise<readonly Verdict[]> =>
  (await claimAll(claims, of)).map(({ verdict }) => verdict);

const tight = testRuleBook(TIGHT_VALUES);

function adRequest(session: string, id: string, afterMs = 0): Claim {
  const sessionId = asSessionId(session);
  return tight.claim(
    testAdRequest({ sessionId, requestId: asRequestId(id), arrivedAtMs: START_MS + afterMs }),
  );
}

describe('claim.lua', () => {
  it('accepts exactly the limit when all requests come at once over several connections', async () => {
    const others = await Promise.all([1, 2, 3].map(() => openTestRedis()));
    const replicas = others.map((other) => makeRedisSessionCounters(other.redis, null));
    const ruleBook = testRuleBook();
    for (let round = 0; round < 20; round += 1) {
      const sessionId = asSessionId(`rush_${round}`);
      const judgements = await Promise.all(
        Array.from({ length: 90 }, (_, n) => {
          const requestId = asRequestId(`r${n}`);
          return replicas[n % 3]!.claim(
            ruleBook.claim(testAdRequest({ sessionId, requestId, arrivedAtMs: START_MS + n })),
          );
        }),
      );
      expect(judgements.filter(({ verdict }) => verdict === null)).to.have.length(30);
    }
    for (const other of others) other.redis.disconnect();
  });

  it('keeps few entries, however long a session lasts', async () => {
    const ruleBook = testRuleBook();
    const sessionId = asSessionId('long');
    for (let second = 0; second < 600; second += 1) {
      const requestId = asRequestId(`r${second}`);
      const arrivedAtMs = START_MS + second * 1_000;
      await counters.claim(ruleBook.claim(testAdRequest({ sessionId, requestId, arrivedAtMs })));
    }
    expect(await redis.zcard('{ses:long}:fr:req')).to.be.at.most(60);
  });

  it('works after the script was flushed from Redis', async () => {
    await redis.script('FLUSH');
    const verdicts = await verdictsOf(Array.from({ length: 5 }, (_, n) => adRequest('flushed', `r${n}`)));
    expect(verdicts.filter((verdict) => verdict === null)).to.have.length(3);
  });
});

describe('the lifetime of fraud counters', () => {
  /** All keys of a session with their lifetimes. */
  async function lifetimesOf(session: string): Promise<ReadonlyMap<string, number>> {
    const keys = await redis.keys(`*{ses:${session}}*`);
    const ttlsMs = await Promise.all(keys.sort().map((key) => redis.pttl(key)));
    return new Map(keys.map((key, index) => [key.replace(`{ses:${session}}`, ''), ttlsMs[index]!]));
  }
  function expectLifetimes(
    found: ReadonlyMap<string, number>,
    wanted: Readonly<Record<string, number>>,
  ): void {
    expect([...found.keys()]).to.deep.equal(Object.keys(wanted));
    for (const [key, ttlMs] of found)
      expect(ttlMs, key).to.be.within(wanted[key]! - 10_000, wanted[key]! + SPARE_MS);
  }
  const claimsOf = (session: string, sessionLeftMs: number): Claim[] => {
    const common = {
      sessionId: asSessionId(session),
      arrivedAtMs: START_MS,
      sessionExpiresAtMs: START_MS + sessionLeftMs,
    };
    const [request, shown, clicked] = [testAdRequest(common), testImpression(common), testClick(common)];
    return [request, shown, clicked].map((traffic) => testRuleBook().claim(traffic));
  };

  const table: readonly (readonly [title: string, sessionLeftMs: number, ttlMs: number])[] = [
    ['as long as the last click of a short session can come', 60_000, 1.5 * HOUR_MS],
    ['as long as the last click can come after the session has ended', -60_000, 1.5 * HOUR_MS],
    ['until the last impression of a long session', 10 * HOUR_MS, 10.5 * HOUR_MS],
  ];
  for (const [title, sessionLeftMs, ttlMs] of table) {
    it(`is one window, and for counters of the session's life ${title}`, async () => {
      const session = `life_${sessionLeftMs}`;
      await claimAll(claimsOf(session, sessionLeftMs));
      expectLifetimes(await lifetimesOf(session), {
        ':fr:clk': ttlMs,
        ':fr:imp': ttlMs,
        ':fr:imp:home_banner': HOUR_MS,
        ':fr:req': 60_000,
      });
    });
  }

  it('starts again with each counted event', async () => {
    await claimAll(claimsOf('anew', HOUR_MS));
    for (const key of (await lifetimesOf('anew')).keys()) await redis.pexpire(`{ses:anew}${key}`, 5_000);
    const again = claimsOf('anew', HOUR_MS).map((claim) => ({ ...claim, requestId: asRequestId('again') }));
    await claimAll(again);
    expectLifetimes(await lifetimesOf('anew'), {
      ':fr:clk': 1.5 * HOUR_MS,
      ':fr:imp': 1.5 * HOUR_MS,
      ':fr:imp:home_banner': HOUR_MS,
      ':fr:req': 60_000,
    });
  });

  it('is not extended by refused requests', async () => {
    await claimAll(['a', 'b', 'c'].map((id) => adRequest('refused', id)));
    await redis.pexpire('{ses:refused}:fr:req', 5_000);
    await claimAll(['d', 'e'].map((id) => adRequest('refused', id)));
    expectLifetimes(await lifetimesOf('refused'), { ':fr:req': 5_000 });
  });

  it('is restored when lost, even by a refused, a repeated or a merely reading claim', async () => {
    await claimAll(['a', 'b', 'c'].map((id) => adRequest('damaged', id)));
    await redis.persist('{ses:damaged}:fr:req');
    expect(await verdictsOf([adRequest('damaged', 'd', 1)])).to.deep.equal(['ad_requests_per_minute']);
    expectLifetimes(await lifetimesOf('damaged'), { ':fr:req': 60_000 });
    expect(await verdictsOf([adRequest('damaged', 'e', 60_000)])).to.deep.equal([null]);

    await redis.persist('{ses:damaged}:fr:req');
    expect(await verdictsOf([adRequest('damaged', 'e', 60_001)]), 'a retry').to.deep.equal([null]);
    expectLifetimes(await lifetimesOf('damaged'), { ':fr:req': 60_000 });

    const [, shown, clicked] = claimsOf('damaged_read', HOUR_MS);
    await claimAll([shown!]);
    await redis.persist('{ses:damaged_read}:fr:imp');
    await claimAll([clicked!]);
    expect(await redis.pttl('{ses:damaged_read}:fr:imp')).to.be.within(1, 1.5 * HOUR_MS);
  });

  it('needs no key when nothing was counted', async () => {
    const none = testRuleBook({ banner_impression_factor: 0.000001 });
    await claimAll([none.claim(testImpression({ sessionId: asSessionId('nothing') }))]);
    expectLifetimes(await lifetimesOf('nothing'), {});
  });
});

describe('claims of the same turn', () => {
  const claimsOfSessions = (count: number): Claim[] =>
    Array.from({ length: count }, (_, n) => adRequest(`together_${n % 4}`, `r${n}`));

  it('share one script, up to a limit', async () => {
    const { counters: watched, keysOfScripts } = watchScripts(false);
    await claimAll(claimsOfSessions(64), watched);
    expect(keysOfScripts.map((keys) => keys.length)).to.deep.equal([64]);
    await claimAll(claimsOfSessions(150), watched);
    expect(keysOfScripts.map((keys) => keys.length)).to.deep.equal([64, 64, 64, 22]);
  });

  it('share a script in a cluster only when they belong to one session', async () => {
    const { counters: watched, keysOfScripts } = watchScripts(true);
    await claimAll(claimsOfSessions(8), watched);
    const sessions = keysOfScripts.map((keys) => [...new Set(keys.map((key) => /\{.*\}/.exec(key)?.[0]))]);
    expect(sessions).to.deep.equal([0, 1, 2, 3].map((n) => [`{ses:together_${n}}`]));
  });

  it('are one step of the first traced call, with links to the other calls', async () => {
    const steps: unknown[] = [];
    const traceparents = [null, 'first', 'second'];
    const tracing = {
      traceparent: () => traceparents.shift() ?? null,
      resume: (traceparent: unknown, name: unknown, { links }: { links: unknown }, work: () => unknown) => {
        steps.push({ traceparent, name, links });
        return work();
      },
    } as unknown as Tracing;
    await claimAll(claimsOfSessions(4), watchScripts(false, tracing).counters);
    expect(steps).to.deep.equal([{ traceparent: 'first', name: 'judge claims', links: ['second'] }]);
  });

  it('all fail with `unavailable` while Redis is unavailable', async () => {
    const scope = makeTestScope();
    const away = makeRedisSessionCounters(
      openRedis(scope, { url: 'redis://127.0.0.1:1', name: 'away' }),
      null,
    );
    const outcomes = await Promise.allSettled(claimsOfSessions(3).map((claim) => away.claim(claim)));
    for (const outcome of outcomes) {
      expect(outcome).to.have.property('status', 'rejected');
      expect(outcome).to.have.nested.property('reason.code', 'unavailable');
    }
    await scope.close();
  });
});
