import { openBreaker } from '@placard/service-kit/breaker';
import type { RedisClient } from '@placard/service-kit/redis';
import { MINUTE_MS } from '@placard/service-kit/pure';
import { makeTestScope } from '@placard/service-kit/testing';
import { openTestRedis } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { LEASES_MAX, makeRateLimitLeases } from '../src/limits/store/rate-limit-leases.js';
import { makeFallbackRateLimiter } from '../src/limits/store/rate-limiter.fallback.js';
import { makeMemoryRateLimiter } from '../src/limits/store/rate-limiter.memory.js';
import { makeRedisRateLimiter } from '../src/limits/store/rate-limiter.redis.js';
import type { Bucket, Grant, RateLimiter } from '../src/limits/store/rate-limiter.js';
import { aBucket, describeRateLimiter, passedOf, START_MS, waitAt } from './rate-limiter.suite.js';

let redis: RedisClient;
before(async () => {
  ({ redis } = await openTestRedis());
});
after(() => redis.disconnect());

const gone = (): Promise<never> => Promise.reject(new Error('gone'));

/** A limiter that falls back to counts of its own. */
function makeFallback(shared: RateLimiter): RateLimiter {
  return makeFallbackRateLimiter({
    shared,
    own: makeMemoryRateLimiter(),
    breaker: openBreaker(makeTestScope(), { dependency: 'redis' }),
    onFailure: () => undefined,
  });
}

describeRateLimiter('in Redis', () => makeRedisRateLimiter(redis));
describeRateLimiter('in memory', () => makeMemoryRateLimiter());
describeRateLimiter('that could fall back', () => makeFallback(makeRedisRateLimiter(redis)));
describeRateLimiter('that has fallen back', () => makeFallback({ take: gone, giveBack: gone }));

describe('a rate limiter in Redis, by its keys and commands', () => {
  async function scriptsRun(): Promise<number> {
    const stats = await redis.info('commandstats');
    return Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(stats)?.[1] ?? 0);
  }

  it('give keys in Redis an expiry of two minutes, and restore a lost one', async () => {
    const limiter = makeRedisRateLimiter(redis);
    const of = aBucket(20);
    const now = Date.now();
    await passedOf(25, limiter, of, now);
    const key = `rl:{${of.key}}`;
    expect(await redis.pttl(key)).to.be.within(1, 120_000);
    await redis.persist(key);
    expect(await redis.pttl(key)).to.equal(-1);
    expect(await waitAt(limiter, of, now)).to.be.within(1, 60);
    expect(await redis.pttl(key)).to.be.within(1, 120_000);
    await redis.persist(key);
    expect(await passedOf(25, limiter, of, now + 2 * MINUTE_MS)).to.equal(20);
  });

  it('count all requests of one turn in one command, each bucket as often as it is named', async () => {
    const limiter = makeRedisRateLimiter(redis);
    const of = [aBucket(3), aBucket(3)] as const;
    const takes = async () => {
      const waits = await Promise.all(
        Array.from({ length: 10 }, (_, i) => waitAt(limiter, of[i % 2]!, START_MS)),
      );
      return waits.map((wait) => wait === null);
    };
    await limiter.take(aBucket(1), 1, START_MS);
    const before = await scriptsRun();
    expect(await takes()).to.deep.equal([...Array<boolean>(6).fill(true), ...Array<boolean>(4).fill(false)]);
    expect((await scriptsRun()) - before).to.equal(1);
    expect(await takes()).to.deep.equal(Array<boolean>(10).fill(false));
  });

  it('repair a key that holds another value', async () => {
    const limiter = makeRedisRateLimiter(redis);
    const of = aBucket(3);
    for (const text of ['', 'x', '999999999999:5:5', '1:2', '-1:2:3']) {
      await redis.set(`rl:{${of.key}}`, text);
      expect(await passedOf(5, limiter, of, START_MS), text).to.equal(3);
    }
  });
});

describe('a rate limiter in memory, by its size', () => {
  it('drops the least recently used bucket first', async () => {
    const limiter = makeMemoryRateLimiter(2);
    const [a, b, c] = [aBucket(1), aBucket(1), aBucket(1)];
    await limiter.take(a, 1, START_MS);
    await limiter.take(b, 1, START_MS);
    await limiter.take(a, 1, START_MS);
    await limiter.take(c, 1, START_MS);
    expect(await waitAt(limiter, a, START_MS)).to.equal(60);
    expect(await waitAt(limiter, b, START_MS)).to.equal(null);
  });
});

describe('a limiter without Redis', () => {
  const of = { key: 'x', limitPerMinute: 5 };

  function setUp(shared: () => Promise<Grant>) {
    let calls = 0;
    const errors: unknown[] = [];
    const limiter = makeFallbackRateLimiter({
      shared: {
        take: () => {
          calls += 1;
          return shared();
        },
        giveBack: () => Promise.resolve(),
      },
      own: makeMemoryRateLimiter(),
      breaker: openBreaker(makeTestScope(), { dependency: 'redis' }),
      onFailure: (error) => errors.push(error),
    });
    return { limiter, errors, calls: () => calls };
  }

  it('counts in the process and never fails', async () => {
    const { limiter, errors } = setUp(gone);
    expect(await passedOf(20, limiter, of, START_MS)).to.equal(5);
    expect(errors).to.have.length(20);
  });

  it('uses Redis as soon as it answers', async () => {
    let isAway = true;
    const { limiter, calls } = setUp(() => (isAway ? gone() : Promise.resolve({ passing: 1 })));
    expect(await passedOf(10, limiter, of, START_MS)).to.equal(5);
    isAway = false;
    expect(await passedOf(10, limiter, of, START_MS)).to.equal(10);
    expect(calls()).to.equal(20);
  });

  it('counts in the process while Redis is frozen, and does not call it for each request', async () => {
    const { limiter, calls } = setUp(() => new Promise(() => undefined));
    expect(await passedOf(2, limiter, of, START_MS)).to.equal(2);
    expect(await passedOf(100, limiter, of, START_MS)).to.equal(3);
    expect(calls()).to.equal(2);
  });
});

describe('leases of rate limits', () => {
  /** The leases of one gateway, and the number of its calls of Redis. */
  function openLeases() {
    const shared = makeRedisRateLimiter(redis);
    let calls = 0;
    const leases = makeRateLimitLeases({
      take: (...args) => {
        calls += 1;
        return shared.take(...args);
      },
      giveBack: (...args) => shared.giveBack(...args),
    });
    return { leases, calls: () => calls };
  }
  type Leases = ReturnType<typeof openLeases>['leases'];

  async function passing(leases: Leases, of: Bucket, nowMs: number, requests: number): Promise<number> {
    const waits = await Promise.all(
      Array.from({ length: requests }, async () => await leases.take(of, nowMs)),
    );
    return waits.filter((wait) => wait === null).length;
  }

  it('accept exactly a large limit at one gateway, and call Redis once for many requests', async () => {
    const { leases, calls } = openLeases();
    const of = aBucket(3_000);
    expect(await passing(leases, of, START_MS, 2_999)).to.equal(2_999);
    expect(calls()).to.equal(200);
    expect(await passing(leases, of, START_MS + 1_000, 50)).to.equal(1);
    expect(await leases.take(of, START_MS + 2_000)).to.equal(58);
  });

  it('are not used for limits below 3,000, whose requests are counted one by one at all gateways', async () => {
    const [a, b] = [openLeases(), openLeases()];
    const of = aBucket(2_999);
    expect(await passing(a.leases, of, START_MS, 1_500)).to.equal(1_500);
    expect(await passing(b.leases, of, START_MS, 1_600)).to.equal(1_499);
    expect(a.calls()).to.equal(1_500);
  });

  it('accept between 90 % and all of a limit at several gateways', async () => {
    const gateways = Array.from({ length: 10 }, openLeases);
    const of = aBucket(6_000);
    // Each gateway holds a lease and has used one request of it. Then one gateway gets all the traffic.
    for (const { leases } of gateways) await leases.take(of, START_MS);
    const [busy] = gateways;
    const passed = 10 + (await passing(busy!.leases, of, START_MS + 5_000, 7_000));
    expect(passed).to.be.within(5_400, 6_000);
    let late = 0;
    for (const { leases } of gateways) late += await passing(leases, of, START_MS + 6_000, 100);
    expect(passed + late).to.equal(6_000);
  });

  it('end with their minute', async () => {
    const { leases, calls } = openLeases();
    const of = aBucket(6_000);
    await leases.take(of, START_MS + MINUTE_MS - 1);
    await leases.take(of, START_MS + MINUTE_MS);
    expect(calls()).to.equal(2);
    const stored = await redis.get(`rl:{${of.key}}`);
    expect(stored).to.equal(`${START_MS / MINUTE_MS + 1}:30:30`);
  });

  it('accept another request after one was given back, in the minute and after it', async () => {
    const { leases } = openLeases();
    const of = aBucket(3_000);
    expect(await passing(leases, of, START_MS, 3_100)).to.equal(3_000);
    await leases.giveBack(of, START_MS, START_MS);
    expect(await passing(leases, of, START_MS, 3)).to.equal(1);
    await leases.giveBack(of, START_MS, START_MS + MINUTE_MS);
    await leases.take(of, START_MS + 2 * MINUTE_MS - 1);
    await leases.giveBack(of, START_MS, START_MS + 2 * MINUTE_MS - 1);
    expect(await redis.get(`rl:{${of.key}}`)).to.match(/:15:2998$/);
  });

  it('let any gateway use returned requests beyond one lease', async () => {
    const [a, b] = [openLeases(), openLeases()];
    const of = aBucket(3_000);
    expect(await passing(a.leases, of, START_MS, 3_000)).to.equal(3_000);
    await Promise.all(Array.from({ length: 1_000 }, () => a.leases.giveBack(of, START_MS, START_MS)));
    expect(await passing(b.leases, of, START_MS, 1_000)).to.equal(1_000 - 15);
    expect(await passing(a.leases, of, START_MS, 1_000)).to.equal(15);
  });

  it('are dropped and taken again when there are too many, the least recently used one first', async () => {
    let calls = 0;
    const leases = makeRateLimitLeases({
      take: (_, wanted) => {
        calls += 1;
        return Promise.resolve({ passing: wanted });
      },
      giveBack: () => Promise.resolve(),
    });
    const of = aBucket(3_000);
    await leases.take(of, START_MS);
    await leases.take(of, START_MS);
    expect(calls).to.equal(1);
    const other = (index: number): Bucket => ({ ...of, key: `other ${index}` });
    for (let i = 0; i < LEASES_MAX; i += 1) await leases.take(other(i), START_MS);
    calls = 0;
    await leases.take(other(1), START_MS);
    expect(calls).to.equal(0);
    await leases.take(of, START_MS);
    expect(calls).to.equal(1);
  });
});
