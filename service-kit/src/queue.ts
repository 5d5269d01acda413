import { Queue, Worker, type Job } from 'bullmq';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectRedis, openRedis } from './redis.js';
import type { Scope } from './scope.js';

/** Where a queue lives. */
export interface QueueOptions {
  readonly url: string;
  /** Name of the queue. */
  readonly name: string;
  /** A Redis hash tag such as `{bull-0}`: all keys of a queue share one slot. */
  readonly prefix: string;
}

/** Jobs kept after their end, for a look at what happened. */
const JOBS_KEPT_MAX = 100;
/** Longest wait for the end of a running job, in milliseconds. */
const CLOSE_MS_MAX = 3_000;

/** The producing side: fails fast while Redis is away, since the outbox in Postgres is the truth. */
export function openQueue<Data>(scope: Scope, options: QueueOptions): Queue<Data, void> {
  const connection = openRedis(scope, { url: options.url, name: `${scope.name}:queue` });
  const queue = new Queue<Data, void>(options.name, {
    connection,
    prefix: options.prefix,
    defaultJobOptions: { removeOnComplete: JOBS_KEPT_MAX, removeOnFail: JOBS_KEPT_MAX },
    // Otherwise the queue asks Redis for its version before the first job, and where that fails (Redis is away, or the
    // connection is still being made) every later job fails as well, for the life of the process.
    skipWaitingForReady: true,
    skipVersionCheck: true,
  });
  queue.on('error', (error) => scope.log.debug({ why: error.message }, 'queue error'));
  scope.onClose(`queue ${options.name}`, () => queue.close());
  return queue;
}

/** The consuming side: waits for Redis as long as it takes; a job that throws is retried by the queue's own rules. */
export function openWorker<Data>(
  scope: Scope,
  options: QueueOptions & { readonly concurrency: number },
  work: (job: Job<Data, void>) => Promise<void>,
): Worker<Data, void> {
  const connection = connectRedis({ url: options.url, name: `${scope.name}:worker`, waitsForRedis: true });
  connection.on('error', (error: Error) =>
    scope.log.debug({ why: error.message }, 'worker connection error'),
  );
  const worker = new Worker<Data, void>(options.name, work, {
    connection,
    prefix: options.prefix,
    concurrency: options.concurrency,
  });
  worker.on('error', (error) => scope.log.debug({ why: error.message }, 'worker error'));
  worker.on('failed', (_job, error) => scope.log.warn({ why: error.message }, 'job failed'));
  scope.onClose(`worker ${options.name}`, async () => {
    // Without Redis a gentle close waits for it for ever; what a job did is safe without its acknowledgement.
    const closing = worker.close(connection.status !== 'ready');
    await Promise.race([closing, sleep(CLOSE_MS_MAX, undefined, { ref: false })]);
    connection.disconnect();
  });
  return worker;
}
