import { expect } from 'chai';
import type { RedisClient } from '../src/redis/redis-connection.js';
import { openRedis } from '../src/redis/redis.js';
import { redisFault } from '../src/redis/redis-faults.js';
import { makeTestScope, type TestScope } from '../src/testing/index.js';
import { openTestRedis } from '../src/testing/stores.js';

/** Longer than the limit of a command and than the interval of the probe. */
const WATCHED_MS = 1_500;

describe('the probe of Redis', () => {
  let scope: TestScope;
  let url: string;
  let operator: RedisClient;
  beforeEach(async () => {
    scope = makeTestScope();
    ({ url, redis: operator } = await openTestRedis());
  });
  afterEach(async () => {
    operator.disconnect();
    await scope.close();
  });

  const state = () => scope.health.components()['redis'];
  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  it('reports a healthy Redis when it takes writes, and leaves no key behind', async () => {
    openRedis(scope, { url, name: 'kit' });
    await until(() => state()?.ok === true);
    expect(await operator.dbsize()).to.equal(0);
  });

  for (const [what, begin, end, says] of [
    ['its memory is full', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0'], 'OOM'],
    ['it is a replica', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE'], 'READONLY'],
  ] as const) {
    it(`reports that Redis takes no writes while ${what}, and its recovery`, async () => {
      openRedis(scope, { url, name: 'kit', optional: false });
      await until(() => state()?.ok === true);
      const call = (words: readonly string[]): Promise<unknown> =>
        operator.call(words[0]!, ...words.slice(1));
      await call(begin);
      try {
        await until(() => state()?.detail?.startsWith(`it takes no writes: ${says}`) === true);
        expect(scope.health.isReady()).to.equal(false);
      } finally {
        await call(end);
      }
      await until(() => state()?.ok === true);
    });
  }

  it('distinguishes two faults: no writes, and no answer', async () => {
    await operator.config('SET', 'maxmemory', '1');
    const error: unknown = await operator.set('{kit}:x', '1').catch((thrown: unknown) => thrown);
    await operator.config('SET', 'maxmemory', '0');
    expect(redisFault('The counters', error)).to.equal('The counters take no writes: Redis refuses them.');
    const away = new Error('connect ECONNREFUSED 127.0.0.1:1');
    expect(redisFault('The counters', away)).to.equal('The counters cannot be reached.');
  });

  it('reports a healthy Redis while the connection of the process is busy', async () => {
    const redis = openRedis(scope, { url, name: 'kit' });
    await until(() => state()?.ok === true);
    const seen = new Set<boolean | undefined>();
    const timer = setInterval(() => seen.add(state()?.ok), 5);
    const waiting = redis.blpop('{kit}:nothing', 0).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, WATCHED_MS));
    clearInterval(timer);
    await waiting;
    expect([...seen]).to.deep.equal([true]);
  });
});
