import { expect } from 'chai';
import type { RedisClient } from '../src/redis-connection.js';
import { makeScript } from '../src/redis.js';
import { openTestRedis } from '../src/testing/stores.js';
import { traceRedis } from '../src/tracing/trace-redis.js';
import type { Step, Tracing } from '../src/tracing/tracing.js';

const STEP: Step = { rename: () => undefined, set: () => undefined };

/** Notes each step, and whether it failed. */
function makeNotes() {
  const steps: string[] = [];
  const noted = async <T>(name: string, work: (step: Step) => Promise<T>): Promise<T> => {
    try {
      const answer = await work(STEP);
      steps.push(`${name}: ok`);
      return answer;
    } catch (error) {
      steps.push(`${name}: failed`);
      throw error;
    }
  };
  const tracing: Tracing = {
    begin: (name, _, work) => noted(name, work),
    resume: (_, name, __, work) => noted(name, work),
    step: (name, _, work) => noted(name, work),
    traceparent: () => '00-1-1-01',
    logFields: () => ({}),
  };
  return { steps, tracing };
}

describe('the traces of Redis', () => {
  let redis: RedisClient;
  before(async () => {
    ({ redis } = await openTestRedis());
  });
  after(() => redis.disconnect());

  it('count a script that the node has to load again as no failure, and every other error as one', async () => {
    const { steps, tracing } = makeNotes();
    traceRedis(tracing, redis, () => undefined);
    expect(await makeScript(`return ${Date.now()}`).run(redis, ['{kit}:traced'], [])).to.be.a('number');
    const broken = makeScript(`return redis.error_reply('WRONG ${Date.now()}')`);
    const error: unknown = await broken.run(redis, ['{kit}:traced'], []).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Error);
    expect(steps).to.deep.equal(['evalsha: ok', 'eval: ok', 'evalsha: ok', 'eval: failed']);
  });
});
