import type { RedisClient } from '@placard/service-kit/redis';
import { openTestRedis } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import fc from 'fast-check';
import { LEASES_MAX, makeRateLimitLeases } from '../src/limits/store/rate-limit-leases.js';
import { makeFallbackRateLimiter, SHARED_PAUSE_MS } from '../src/limits/store/rate-limiter.fallback.js';
import { makeMemoryRateLimiter } from '../src/limits/store/rate-limiter.memory.js';
import { makeRedisRateLimiter } from '../src/limits/store/rate-limiter.redis.js';
import type { Bucket, Grant, RateLimiter } from '../src/limits/store/rate-limiter.js';

const MINUTE = 60_000;
const start = 29_000_000 * MINUTE;
let keys = 0;
const bucket = (limitPerMinute: number) => ({ key: `test:${(keys += 1)}`, limitPerMinute });

async function passed(limiter: RateLimiter, of: ReturnType<typeof bucket>, nowMs: number, requests: number) {
  const waits = await Promise.all(Array.from({ length: requests }, () => waitAt(limiter, of, nowMs)));
  return waits.filter((wait) => wait === null).length;
}

/** The wait of one request. Null: it passes. */
async function waitAt(limiter: RateLimiter, of: Bucket, nowMs: number): Promise<number | null> {
  const grant = await limiter.take(of, 1, nowMs);
  return 'passing' in grant ? null : grant.retryAfterSeconds;
}

describe('rate limiters', () => {
  let redis: RedisClient;
  before(async () => {
    ({ redis } = await openTestRedis());
  });
  after(() => redis.disconnect());

  async function scriptsRun(): Promise<number> {
    const stats = await redis.info('commandstats');
    return Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(stats)?.[1] ?? 0);
  }

  const kinds = [
    ['in Redis', () => makeRedisRateLimiter(redis)],
    ['in memory', () => makeMemoryRateLimiter()],
  ] as const;
  for (const [kind, make] of kinds) {
    describe(kind, () => {
      it('accept exactly the limit on an unused key, even at once', async () => {
        expect(await passed(make(), bucket(20), start + 5_000, 60)).to.equal(20);
      });

      it('do not extend the wait for refused requests', async () => {
        const limiter = make();
        const of = bucket(20);
        await passed(limiter, of, start + 5_000, 20);
        expect(await waitAt(limiter, of, start + 10_000)).to.equal(50);
        await passed(limiter, of, start + 59_000, 500);
        expect(await waitAt(limiter, of, start + 59_500)).to.equal(1);
        expect(await waitAt(limiter, of, start + 60_500)).to.equal(null);
      });

      it('accept another request after one was given back', async () => {
        const limiter = make();
        const of = bucket(2);
        expect(await passed(limiter, of, start, 3)).to.equal(2);
        await limiter.giveBack(of, start, start);
        expect(await passed(limiter, of, start, 3)).to.equal(1);
        await limiter.giveBack(of, start, start + MINUTE);
        await limiter.giveBack(of, start, start + MINUTE);
        expect(await passed(limiter, of, start + MINUTE, 5)).to.equal(2);
      });
    });
  }

  it('decide alike in Redis and in memory, for any sequence', async () => {
    const step = fc.record({
      advance: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: -2_000, max: 130_000 })),
      action: fc.constantFrom('take', 'take', 'take', 'giveBack'),
      wanted: fc.integer({ min: 1, max: 4 }),
    });
    const run = fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.array(step, { maxLength: 40 }),
      async (limit, steps) => {
        const of = bucket(limit);
        const [shared, own] = [makeRedisRateLimiter(redis), makeMemoryRateLimiter()];
        let now = start;
        let takenAt = now;
        for (const { advance, action, wanted } of steps) {
          now += advance;
          if (action === 'giveBack') {
            await shared.giveBack(of, takenAt, now);
            await own.giveBack(of, takenAt, now);
            continue;
          }
          const [a, b] = [await shared.take(of, wanted, now), await own.take(of, wanted, now)];
          // Keys in Redis expire by the clock of Redis, which does not move here. Only the rules are compared.
          expect(a).to.deep.equal(b);
          if ('passing' in a) takenAt = now;
        }
      },
    );
    await fc.assert(run, { numRuns: 60 });
  });

  it('give keys in Redis an expiry of two minutes, and restore a lost one', async () => {
    const limiter = makeRedisRateLimiter(redis);
    const of = bucket(20);
    const now = Date.now();
    await passed(limiter, of, now, 25);
    const key = `rl:{${of.key}}`;
    expect(await redis.pttl(key)).to.be.within(1, 120_000);
    await redis.persist(key);
    expect(await redis.pttl(key)).to.equal(-1);
    expect(await waitAt(limiter, of, now)).to.be.within(1, 60);
    expect(await redis.pttl(key)).to.be.within(1, 120_000);
    await redis.persist(key);
    expect(await passed(limiter, of, now + 2 * MINUTE, 25)).to.equal(20);
  });

  it('count all requests of one turn in one command, each bucket as often as it is named', async () => {
    const limiter = makeRedisRateLimiter(redis);
    const of = [bucket(3), bucket(3)] as const;
    const takes = async () => {
      const waits = await Promise.all(
        Array.from({ length: 10 }, (_, i) => waitAt(limiter, of[i % 2]!, start)),
      );
      return waits.map((wait) => wait === null);
    };
    await limiter.take(bucket(1), 1, start);
    const before = await scriptsRun();
    expect(await takes()).to.deep.equal([...Array<boolean>(6).fill(true), ...Array<boolean>(4).fill(false)]);
    expect((await scriptsRun()) - before).to.equal(1);
    expect(await takes()).to.deep.equal(Array<boolean>(10).fill(false));
  });

  it('repair a key that holds another value', async () => {
    const limiter = makeRedisRateLimiter(redis);
    const of = bucket(3);
    for (const text of ['', 'x', '999999999999:5:5', '1:2', '-1:2:3']) {
      await redis.set(`rl:{${of.key}}`, text);
      expect(await passed(limiter, of, start, 5), text).to.equal(3);
    }
  });

  it('drop the least recently used bucket in memory first', async () => {
    const limiter = makeMemoryRateLimiter(2);
    const [a, b, c] = [bucket(1), bucket(1), bucket(1)];
    await limiter.take(a, 1, start);
    await limiter.take(b, 1, start);
    await limiter.take(a, 1, start);
    await limiter.take(c, 1, start);
    expect(await waitAt(limiter, a, start)).to.equal(60);
    expect(await waitAt(limiter, b, start)).to.equal(null);
  });
});

describe('a limiter without Redis', () => {
  const of = { key: 'x', limitPerMinute: 5 };

  function setUp(shared: () => Promise<Grant>) {
    let ticks = 0;
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
      ticks: () => ticks,
      onFailure: (error) => errors.push(error),
    });
    return { limiter, errors, calls: () => calls, advance: (ms: number) => (ticks += ms) };
  }

  it('counts in the process and never fails', async () => {
    const { limiter, errors } = setUp(() => Promise.reject(new Error('gone')));
    expect(await passed(limiter, of, start, 20)).to.equal(5);
    expect(errors).to.have.length.greaterThan(0);
  });

  it('tries Redis again after a pause, with one request at a time, and uses it once it answers', async () => {
    let isAway = true;
    const setup = setUp(() => (isAway ? Promise.reject(new Error('gone')) : Promise.resolve({ passing: 1 })));
    await setup.limiter.take(of, 1, start);
    await setup.limiter.take(of, 1, start);
    expect(setup.calls()).to.equal(1);
    setup.advance(SHARED_PAUSE_MS);
    await passed(setup.limiter, of, start, 10);
    expect(setup.calls()).to.equal(2);
    isAway = false;
    setup.advance(SHARED_PAUSE_MS);
    await setup.limiter.take(of, 1, start);
    await passed(setup.limiter, of, start, 10);
    expect(setup.calls()).to.equal(13);
  });

  it('waits only briefly for a frozen Redis', async () => {
    const { limiter } = setUp(() => new Promise(() => undefined));
    const startedAt = performance.now();
    expect(await waitAt(limiter, of, start)).to.equal(null);
    expect(await waitAt(limiter, of, start)).to.equal(null);
    expect(performance.now() - startedAt).to.be.within(350, 2_500);
  });
});

describe('leases of rate limits', () => {
  let redis: RedisClient;
  before(async () => {
    ({ redis } = await openTestRedis());
  });
  after(() => redis.disconnect());

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
    const of = bucket(3_000);
    expect(await passing(leases, of, start, 2_999)).to.equal(2_999);
    expect(calls()).to.equal(200);
    expect(await passing(leases, of, start + 1_000, 50)).to.equal(1);
    expect(await leases.take(of, start + 2_000)).to.equal(58);
  });

  it('are not used for limits below 3,000, whose requests are counted one by one at all gateways', async () => {
    const [a, b] = [openLeases(), openLeases()];
    const of = bucket(2_999);
    expect(await passing(a.leases, of, start, 1_500)).to.equal(1_500);
    expect(await passing(b.leases, of, start, 1_600)).to.equal(1_499);
    expect(a.calls()).to.equal(1_500);
  });

  it('accept between 90 % and all of a limit at several gateways', async () => {
    const gateways = Array.from({ length: 10 }, openLeases);
    const of = bucket(6_000);
    // Each gateway holds a lease and has used one request of it. Then one gateway gets all the traffic.
    for (const { leases } of gateways) await leases.take(of, start);
    const [busy] = gateways;
    const passed = 10 + (await passing(busy!.leases, of, start + 5_000, 7_000));
    expect(passed).to.be.within(5_400, 6_000);
    let late = 0;
    for (const { leases } of gateways) late += await passing(leases, of, start + 6_000, 100);
    expect(passed + late).to.equal(6_000);
  });

  it('end with their minute', async () => {
    const { leases, calls } = openLeases();
    const of = bucket(6_000);
    await leases.take(of, start + MINUTE - 1);
    await leases.take(of, start + MINUTE);
    expect(calls()).to.equal(2);
    const stored = await redis.get(`rl:{${of.key}}`);
    expect(stored).to.equal(`${start / MINUTE + 1}:30:30`);
  });

  it('accept another request after one was given back, in the minute and after it', async () => {
    const { leases } = openLeases();
    const of = bucket(3_000);
    expect(await passing(leases, of, start, 3_100)).to.equal(3_000);
    await leases.giveBack(of, start, start);
    expect(await passing(leases, of, start, 3)).to.equal(1);
    await leases.giveBack(of, start, start + MINUTE);
    await leases.take(of, start + 2 * MINUTE - 1);
    await leases.giveBack(of, start, start + 2 * MINUTE - 1);
    expect(await redis.get(`rl:{${of.key}}`)).to.match(/:15:2998$/);
  });

  it('let any gateway use returned requests beyond one lease', async () => {
    const [a, b] = [openLeases(), openLeases()];
    const of = bucket(3_000);
    expect(await passing(a.leases, of, start, 3_000)).to.equal(3_000);
    await Promise.all(Array.from({ length: 1_000 }, () => a.leases.giveBack(of, start, start)));
    expect(await passing(b.leases, of, start, 1_000)).to.equal(1_000 - 15);
    expect(await passing(a.leases, of, start, 1_000)).to.equal(15);
  });

  it('are all dropped and taken again when there are too many', async () => {
    let calls = 0;
    const leases = makeRateLimitLeases({
      take: (_, wanted) => {
        calls += 1;
        return Promise.resolve({ passing: wanted });
      },
      giveBack: () => Promise.resolve(),
    });
    const of = bucket(3_000);
    await leases.take(of, start);
    await leases.take(of, start);
    expect(calls).to.equal(1);
    for (let i = 0; i < LEASES_MAX; i += 1) await leases.take({ ...of, key: `other ${i}` }, start);
    calls = 0;
    await leases.take(of, start);
    expect(calls).to.equal(1);
  });
});
