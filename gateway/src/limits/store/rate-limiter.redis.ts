import { servingAll, type Tracing } from '@placard/service-kit';
import { loadScript, type RedisClient } from '@placard/service-kit/redis';
import { retryAfterSeconds } from '../domain/sliding-window.js';
import type { Bucket, Grant, RateLimiter } from './rate-limiter.js';

const takeScript = loadScript(import.meta.url, './rate-limit-take.lua');
const giveBackScript = loadScript(import.meta.url, './rate-limit-give-back.lua');

/** Most takes in one script: about 0.2 ms of Redis's time. */
const TAKES_MAX = 64;
/** Numbers in the script's answer for each take. */
const NUMBERS_PER_TAKE = 4;

interface Take {
  readonly bucket: Bucket;
  readonly wanted: number;
  readonly nowMs: number;
  /** Of the request. Null: it is not traced. */
  readonly traceparent: string | null;
  readonly resolve: (grant: Grant) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Counts in Redis, shared by all gateways. Every key has its own hash tag and expires within two minutes. Takes of one
 * turn of the event loop share one script. On a cluster each take has its own script, because the keys are in different
 * slots.
 */
export function makeRedisRateLimiter(redis: RedisClient, tracing: Tracing | null = null): RateLimiter {
  const takesMax = redis.isCluster ? 1 : TAKES_MAX;
  let waiting: Take[] = [];
  const sendAll = (): void => {
    const takes = waiting;
    waiting = [];
    for (let from = 0; from < takes.length; from += takesMax) {
      const group = takes.slice(from, from + takesMax);
      const traceparents = group.map(({ traceparent }) => traceparent);
      void servingAll(tracing, traceparents, 'rate limits', () => send(redis, group));
    }
  };
  return {
    take: (bucket, wanted, nowMs) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(sendAll);
        const traceparent = tracing?.traceparent() ?? null;
        waiting.push({ bucket, wanted, nowMs, traceparent, resolve, reject });
      }),
    async giveBack({ key }, takenAtMs, nowMs) {
      await giveBackScript.run(redis, [keyOf(key)], [takenAtMs, nowMs]);
    },
  };
}

/** Never rejects. Each take gets its answer or its failure. */
async function send(redis: RedisClient, takes: readonly Take[]): Promise<void> {
  try {
    const keys = takes.map(({ bucket }) => keyOf(bucket.key));
    const args = takes.flatMap(({ bucket, wanted, nowMs }) => [nowMs, bucket.limitPerMinute, wanted]);
    const reply = (await takeScript.run(redis, keys, args)) as unknown[];
    for (const [index, take] of takes.entries()) {
      const from = index * NUMBERS_PER_TAKE;
      take.resolve(grantOf(take, reply.slice(from, from + NUMBERS_PER_TAKE).map(Number)));
    }
  } catch (error) {
    for (const take of takes) take.reject(error);
  }
}

function grantOf({ bucket, nowMs }: Take, numbers: readonly number[]): Grant {
  const [passing = 0, minute = 0, count = 0, previousCount = 0] = numbers;
  if (passing > 0) return { passing };
  const window = { minute, count, previousCount };
  return { retryAfterSeconds: retryAfterSeconds(window, bucket.limitPerMinute, nowMs) };
}

function keyOf(key: string): string {
  return `rl:{${key}}`;
}
