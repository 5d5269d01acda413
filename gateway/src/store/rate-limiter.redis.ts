import { loadScript, type RedisClient } from '@placard/service-kit';
import { retryAfterSeconds } from '../domain/sliding-window.js';
import type { RateLimiter } from './rate-limiter.js';

const takeScript = loadScript(import.meta.url, './rate-limit-take.lua');
const giveBackScript = loadScript(import.meta.url, './rate-limit-give-back.lua');

/** Counts in Redis, shared by all gateways; every key is alone in its hash tag and expires within two minutes. */
export function makeRedisRateLimiter(redis: RedisClient): RateLimiter {
  const keyOf = (key: string): string => `rl:{${key}}`;
  return {
    async take({ key, limitPerMinute }, wanted, nowMs) {
      const reply = await takeScript.run(redis, [keyOf(key)], [nowMs, limitPerMinute, wanted]);
      const [passing = 0, minute = 0, count = 0, previousCount = 0] = (reply as unknown[]).map(Number);
      if (passing > 0) return { passing };
      const window = { minute, count, previousCount };
      return { retryAfterSeconds: retryAfterSeconds(window, limitPerMinute, nowMs) };
    },
    async giveBack({ key }, takenAtMs, nowMs) {
      await giveBackScript.run(redis, [keyOf(key)], [takenAtMs, nowMs]);
    },
  };
}
