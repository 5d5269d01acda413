import { expect } from 'chai';
import { openQueue, openWorker } from '../src/redis/queue.js';
import { makeTestScope, type TestScope } from '../src/testing/index.js';
import { openTestRedis } from '../src/testing/stores.js';

describe('a queue and its worker', () => {
  let scope: TestScope;
  let url: string;

  beforeEach(async () => {
    scope = makeTestScope();
    const opened = await openTestRedis();
    opened.redis.disconnect();
    url = opened.url;
  });
  afterEach(() => scope.close());

  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  it('run every job, and run it again when it has thrown', async () => {
    const options = { url, name: 'kit', prefix: '{bull-kit}' };
    const queue = openQueue<{ n: number }>(scope, options);
    await until(() => scope.health.components()['redis']?.ok === true);
    const done: number[] = [];
    let hasThrown = false;
    openWorker<{ n: number }>(scope, { ...options, concurrency: 4 }, (job) => {
      if (job.data.n === 3 && !hasThrown) {
        hasThrown = true;
        return Promise.reject(new Error('once'));
      }
      done.push(job.data.n);
      return Promise.resolve();
    });
    const jobs = [1, 2, 3, 4].map((n) => ({ name: 'wake', data: { n }, opts: { attempts: 2 } }));
    await queue.addBulk(jobs);
    await until(() => done.length === 4);
    expect([...done].sort()).to.deep.equal([1, 2, 3, 4]);
    expect(hasThrown).to.equal(true);
  });

  it('keep a hundred of the finished jobs, however many there were', async () => {
    const options = { url, name: 'kit', prefix: '{bull-kit}' };
    const queue = openQueue(scope, options);
    await until(() => scope.health.components()['redis']?.ok === true);
    let done = 0;
    const worker = openWorker(scope, { ...options, concurrency: 20 }, () => Promise.resolve());
    worker.on('completed', () => (done += 1));
    await queue.addBulk(Array.from({ length: 150 }, () => ({ name: 'wake', data: {} })));
    await until(() => done === 150);
    expect(await queue.getCompletedCount()).to.equal(100);
  });

  it('let the producer fail fast while Redis is unavailable', async () => {
    const queue = openQueue(scope, { url: 'redis://127.0.0.1:1', name: 'kit', prefix: '{bull-kit}' });
    const startedAt = performance.now();
    const error: unknown = await queue.add('wake', {}).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Error);
    expect(performance.now() - startedAt).to.be.below(2_000);
  });

  it('let the producer work once Redis is available, whatever failed before', async () => {
    const queue = openQueue(scope, { url, name: 'kit', prefix: '{bull-kit}' });
    await queue.add('wake', {}).catch(() => undefined);
    await until(() => scope.health.components()['redis']?.ok === true);
    await queue.add('wake', {});
    expect(await queue.getWaitingCount()).to.be.at.least(1);
  });

  it('both close while Redis is unavailable', async () => {
    const options = { url: 'redis://127.0.0.1:1', name: 'kit', prefix: '{bull-kit}' };
    openQueue(scope, options);
    openWorker(scope, { ...options, concurrency: 1 }, () => Promise.resolve());
    const startedAt = performance.now();
    await scope.close();
    expect(performance.now() - startedAt).to.be.below(5_000);
  });
});
