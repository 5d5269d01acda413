import type { Tracing } from '@placard/service-kit';
import { gatherScript, loadScript, type RedisClient } from '@placard/service-kit/redis';
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
}

/**
 * Counts in Redis, shared by all gateways. Every key has its own hash tag and expires within two minutes. Takes of one
 * turn of the event loop share one script. On a cluster only takes of one bucket do, because the keys of two buckets are in
 * different slots.
 */
export function makeRedisRateLimiter(redis: RedisClient, tracing: Tracing | null = null): RateLimiter {
  const take = gatherScript<Take, Grant>(redis, tracing, {
    name: 'rate limits',
    itemsMax: TAKES_MAX,
    tagOf: ({ bucket }) => bucket.key,
    run: (takes) => runTakes(redis, takes),
  });
  return {
    take: (bucket, wanted, nowMs) => take({ bucket, wanted, nowMs }),
    async giveBack({ key }, takenAtMs, nowMs) {
      await giveBackScript.run(redis, [keyOf(key)], [takenAtMs, nowMs]);
    },
  };
}

async function runTakes(redis: RedisClient, takes: readonly Take[]): Promise<readonly Grant[]> {
  const keys: string[] = [];
  const args: number[] = [];
  for (const { bucket, wanted, nowMs } of takes) {
    keys.push(keyOf(bucket.key));
    args.push(nowMs, bucket.limitPerMinute, wanted);
  }
  const numbers = (await takeScript.run(redis, keys, [JSON.stringify(args)])) as readonly unknown[];
  return takes.map((take, index) => grantOf(take, numbers, index * NUMBERS_PER_TAKE));
}

function grantOf({ bucket, nowMs }: Take, numbers: readonly unknown[], from: number): Grant {
  const numberAt = (place: number): number => Number(numbers[from + place] ?? 0);
  const passing = numberAt(0);
  if (passing > 0) return { passing };
  const window = { minute: numberAt(1), count: numberAt(2), previousCount: numberAt(3) };
  return { retryAfterSeconds: retryAfterSeconds(window, bucket.limitPerMinute, nowMs) };
}

function keyOf(key: string): string {
  return `rl:{${key}}`;
}
