import { makeBoundedMap } from '@placard/service-kit/background';
import {
  counted,
  remaining,
  retryAfterSeconds,
  uncounted,
  windowAt,
  type Window,
} from '../domain/sliding-window.js';
import type { RateLimiter } from './rate-limiter.js';

/** Most buckets of one process. The least recently used one is dropped first. */
export const MEMORY_BUCKETS_MAX = 100_000;

/** Counts in this process only, while Redis is unavailable. Contract: docs/contract/failures.md#redis. */
export function makeMemoryRateLimiter(bucketsMax: number = MEMORY_BUCKETS_MAX): RateLimiter {
  const windows = makeBoundedMap<string, Window>(bucketsMax);
  return {
    take({ key, limitPerMinute }, wanted, nowMs) {
      const window = windowAt(windows.get(key) ?? null, nowMs);
      const passing = Math.min(wanted, remaining(window, limitPerMinute, nowMs));
      windows.set(key, counted(window, passing));
      if (passing > 0) return Promise.resolve({ passing });
      return Promise.resolve({ retryAfterSeconds: retryAfterSeconds(window, limitPerMinute, nowMs) });
    },
    giveBack({ key }, takenAtMs) {
      const window = windows.get(key);
      if (window !== undefined) windows.set(key, uncounted(window, takenAtMs));
      return Promise.resolve();
    },
  };
}
