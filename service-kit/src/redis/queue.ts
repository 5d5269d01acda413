import { Queue, Worker, type Job } from 'bullmq';
import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import { addressOf, type StoreAddress } from '../stores/store-address.js';
import { connectRedis } from './redis-connection.js';
import { openRedis } from './redis.js';
import { makeSampledLog } from '../process/sampled-log.js';
import type { Scope } from '../process/scope.js';

/** The address of a queue. */
export interface QueueOptions extends StoreAddress {
  /** Name of the queue. */
  readonly name: string;
  /** A Redis hash tag such as `{bull-0}`, so that all keys of a queue share one slot. */
  readonly prefix: string;
}

/** Jobs kept after their end, for inspection. */
const JOBS_KEPT_MAX = 100;
/** Longest wait for the end of a running job, in milliseconds. */
const CLOSE_MS_MAX = 3_000;

/**
 * Opens the producing side. It fails fast while Redis is unavailable, because the outbox in Postgres is the source of
 * truth.
 */
export function openQueue<Data>(scope: Scope, options: QueueOptions): Queue<Data, void> {
  const connection = openRedis(scope, { ...addressOf(options), name: `${scope.name}:queue` });
  const queue = new Queue<Data, void>(options.name, {
    connection,
    prefix: options.prefix,
    defaultJobOptions: { removeOnComplete: JOBS_KEPT_MAX, removeOnFail: JOBS_KEPT_MAX },
    // Otherwise the queue asks Redis for its version before the first job. If that fails (Redis is unavailable, or the
    // connection is not yet open), every later job fails too, for the life of the process.
    skipWaitingForReady: true,
    skipVersionCheck: true,
  });
  queue.on('error', (error) => scope.log.debug({ reason: error.message }, 'queue error'));
  scope.onClose(`queue ${options.name}`, () => queue.close());
  return queue;
}

/** Data that every job carries in addition to its own. */
export interface JobTrace {
  /** W3C `traceparent` of the request that added the job. Missing: the request is not traced. */
  readonly traceparent?: string;
}

/** Adds a job as a step of the running request. */
export async function addJob(scope: Scope, queue: Queue<JobTrace, void>, name: string): Promise<void> {
  const { tracing } = scope;
  if (tracing === null) {
    await queue.add(name, {});
    return;
  }
  const options = { kind: 'producer', attributes: messagingOf(queue.name) } as const;
  await tracing.step(`send ${queue.name}`, options, async () => {
    const traceparent = tracing.traceparent();
    await queue.add(name, traceparent === null ? {} : { traceparent });
  });
}

function messagingOf(queue: string) {
  return { 'messaging.system': 'bullmq', 'messaging.destination.name': queue };
}

/** States of jobs that show the health of a queue. */
const WATCHED_STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

/**
 * Shows the jobs of a queue by state in the metrics of the process. They are counted when the metrics are read; while
 * Redis is unavailable there are no values.
 */
export function watchQueue(scope: Scope, queue: Queue): void {
  scope.once(watchQueues).push(queue);
}

/** One metric shows all watched queues of a process. */
function watchQueues(scope: Scope): Queue[] {
  const queues: Queue[] = [];
  new Gauge({
    name: 'placard_queue_jobs',
    help: 'Jobs of a queue by state; failed ones are kept for a look, up to a bound',
    labelNames: ['queue', 'state'] as const,
    registers: [scope.metrics],
    async collect() {
      this.reset();
      for (const queue of queues) {
        const counts = await queue.getJobCounts(...WATCHED_STATES).catch(() => ({}));
        for (const [state, count] of Object.entries(counts)) this.set({ queue: queue.name, state }, count);
      }
    },
  });
  return queues;
}

/**
 * Opens the consuming side. It waits for Redis without a limit. The rules of the queue decide how a job that throws is
 * retried.
 */
export function openWorker<Data extends object>(
  scope: Scope,
  options: QueueOptions & { readonly concurrency: number },
  work: (job: Job<Data, void>) => Promise<void>,
): Worker<Data, void> {
  const connection = connectRedis({
    ...addressOf(options),
    name: `${scope.name}:worker`,
    waitsForRedis: true,
  });
  connection.on('error', (error: Error) =>
    scope.log.debug({ reason: error.message }, 'worker connection error'),
  );
  const { tracing } = scope;
  const traced = (job: Job<Data, void>): Promise<void> =>
    tracing === null
      ? work(job)
      : tracing.resume(
          (job.data as JobTrace).traceparent ?? null,
          `process ${options.name}`,
          { kind: 'consumer', attributes: messagingOf(options.name) },
          () => work(job),
        );
  const worker = new Worker<Data, void>(options.name, traced, {
    connection,
    prefix: options.prefix,
    concurrency: options.concurrency,
  });
  worker.on('error', (error) => scope.log.debug({ reason: error.message }, 'worker error'));
  worker.on('failed', (_job, error) =>
    scope.once(makeSampledLog).warn({ reason: error.message }, 'job failed'),
  );
  scope.onClose(`worker ${options.name}`, async () => {
    // Without Redis a graceful close never ends. A job needs no acknowledgement: its result is already stored.
    const closing = worker.close(connection.status !== 'ready');
    await Promise.race([closing, sleep(CLOSE_MS_MAX, undefined, { ref: false })]);
    connection.disconnect();
  });
  return worker;
}
