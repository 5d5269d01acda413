import { expect } from 'chai';
import type { RedisClient } from '../src/redis/redis-connection.js';
import { makeScript } from '../src/redis/redis.js';
import { openTestRedis } from '../src/testing/stores.js';
import { makeTracingNotes } from '../src/testing/tracing.js';
import { traceRedis } from '../src/redis/trace-redis.js';

describe('the traces of Redis', () => {
  let redis: RedisClient;
  before(async () => {
    ({ redis } = await openTestRedis());
  });
  after(() => redis.disconnect());

  it('show no failure for a script that the node must load again, and a failure for every other error', async () => {
    const { steps, tracing } = makeTracingNotes();
    traceRedis(tracing, redis, () => undefined);
    expect(await makeScript(`return ${Date.now()}`).run(redis, ['{kit}:traced'], [])).to.be.a('number');
    const broken = makeScript(`return redis.error_reply('WRONG ${Date.now()}')`);
    const error: unknown = await broken.run(redis, ['{kit}:traced'], []).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Error);
    expect(steps).to.deep.equal(['evalsha: ok', 'eval: ok', 'evalsha: ok', 'eval: failed']);
  });
});
