import { expect } from 'chai';
import { Redis } from 'ioredis';
import { makeTestScope, type TestScope } from '../src/testing/index.js';
import { openTestRedis } from '../src/testing/stores.js';
import type { RedisClient } from '../src/redis/redis-connection.js';
import { makeScript, openRedis } from '../src/redis/redis.js';

const COUNT = makeScript("return redis.call('HINCRBY', KEYS[1], 'n', ARGV[1])");

describe('Redis scripts', () => {
  let redis: RedisClient;

  before(async () => {
    ({ redis } = await openTestRedis());
  });
  after(() => redis.disconnect());

  it('run once each, whether or not the node has loaded them', async () => {
    expect(await COUNT.run(redis, ['{kit}:n'], [1])).to.equal(1);
    expect(await COUNT.run(redis, ['{kit}:n'], [1])).to.equal(2);
    await redis.script('FLUSH');
    expect(await COUNT.run(redis, ['{kit}:n'], [1])).to.equal(3);
  });

  it('run once each when many are sent together while the node unloads them', async () => {
    const sent = [];
    for (let i = 0; i < 200; i += 1) {
      sent.push(COUNT.run(redis, ['{kit}:many'], [1]));
      if (i % 50 === 25) sent.push(redis.script('FLUSH'));
      if (i % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(sent);
    expect(await redis.hget('{kit}:many', 'n')).to.equal('200');
  });

  it('are called by their hash again after the text was sent once', async () => {
    const sent: string[] = [];
    const watched = Object.assign(Object.create(redis) as RedisClient, {
      evalsha: (...args: Parameters<RedisClient['evalsha']>) => (sent.push('hash'), redis.evalsha(...args)),
      eval: (...args: Parameters<RedisClient['eval']>) => (sent.push('text'), redis.eval(...args)),
    });
    const script = makeScript(`return ${Date.now()}`);
    for (let i = 0; i < 3; i += 1) await script.run(watched, ['{kit}:again'], []);
    expect(sent).to.deep.equal(['hash', 'text', 'hash', 'hash']);
  });

  it('keep amounts exact beyond 2^53', async () => {
    const set = makeScript(
      "return redis.call('HINCRBY', KEYS[1], 'u', ARGV[1]) and redis.call('HGET', KEYS[1], 'u')",
    );
    await set.run(redis, ['{kit}:u'], ['9007199254740993']);
    expect(await set.run(redis, ['{kit}:u'], ['2'])).to.equal('9007199254740995');
  });

  it('pass on every other failure', async () => {
    const wrong = makeScript("return redis.error_reply('WRONG something')");
    const error: unknown = await wrong.run(redis, ['{kit}:x'], []).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Error).with.property('message').that.includes('WRONG');
  });
});

describe('openRedis', () => {
  let scope: TestScope;
  beforeEach(() => {
    scope = makeTestScope();
  });
  afterEach(() => scope.close());

  async function until(isOk: boolean): Promise<void> {
    while (scope.health.components()['redis']?.ok !== isOk)
      await new Promise((resolve) => setTimeout(resolve, 5));
  }

  it('shows in health that Redis is available', async () => {
    openRedis(scope, { url: process.env['TEST_REDIS_URL'] ?? '', name: 'kit' });
    await until(true);
  });

  it('logs in as the user of its URL, whose password may be percent-encoded', async () => {
    const { redis, url: text } = await openTestRedis();
    const url = new URL(text);
    [url.username, url.password] = ['kit-user', 'p@ss/word'];
    try {
      await redis.call('ACL', 'SETUSER', url.username, 'on', '>p@ss/word', '~*', '&*', '+@all');
      const known = openRedis(scope, { url: url.href, name: 'kit' });
      await until(true);
      expect(await known.call('ACL', 'WHOAMI')).to.equal('kit-user');
    } finally {
      await redis.call('ACL', 'DELUSER', url.username);
      redis.disconnect();
    }
  });

  it('sends scripts that run at the same time in one message', async () => {
    const redis = openRedis(scope, { url: process.env['TEST_REDIS_URL'] ?? '', name: 'kit' });
    await until(true);
    if (!(redis instanceof Redis)) throw new Error('the test server is no cluster');
    await COUNT.run(redis, ['{kit}:shared'], [1]);
    // The stream passes single chunks and lists of chunks to the system.
    const stream = redis.stream as unknown as Record<'_write' | '_writev', (...args: unknown[]) => void>;
    let writes = 0;
    for (const name of ['_write', '_writev'] as const) {
      const write = stream[name].bind(stream);
      stream[name] = (...args) => {
        writes += 1;
        write(...args);
      };
    }
    await Promise.all(Array.from({ length: 200 }, () => COUNT.run(redis, ['{kit}:shared'], [1])));
    expect(writes).to.be.within(1, 10);
    expect(await redis.hget('{kit}:shared', 'n')).to.equal('201');
  });

  it('fails a command at once while Redis is unavailable, and the process continues', async () => {
    const redis = openRedis(scope, { url: 'redis://127.0.0.1:1', name: 'kit' });
    const startedAt = performance.now();
    const error: unknown = await redis.get('{kit}:x').catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Error);
    expect(performance.now() - startedAt).to.be.below(1_500);
    await until(false);
    expect(scope.health.components()['redis']?.detail).to.not.equal(null);
  });

  it('works again after its connections were cut', async () => {
    const url = process.env['TEST_REDIS_URL'] ?? '';
    const redis = openRedis(scope, { url, name: 'kit-cut' });
    await until(true);
    const killer = openRedis(makeTestScope(), { url, name: 'killer' });
    const list = String(await waitFor(() => killer.client('LIST')));
    const id = /id=(\d+)[^\n]*name=kit-cut/.exec(list)?.[1];
    await killer.client('KILL', 'ID', id ?? '');
    killer.disconnect();
    await waitFor(() => redis.set('{kit}:cut', '1'));
    await until(true);
  });

  async function waitFor<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      try {
        return await work();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    throw new Error('never worked');
  }
});
