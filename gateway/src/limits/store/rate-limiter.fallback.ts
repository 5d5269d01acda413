import { runAt } from '@placard/service-kit';
import type { RateLimiter } from './rate-limiter.js';

/** Longest wait for the shared counters, in milliseconds. After it the process judges a request by its own counters. */
export const SHARED_WAIT_MS_MAX = 400;
/** Pause of the shared counters after a failure, in milliseconds. */
export const SHARED_PAUSE_MS = 1_000;

/** Dependencies of the limiter. */
export interface FallbackDeps {
  readonly shared: RateLimiter;
  readonly own: RateLimiter;
  /** Monotonic milliseconds, for the pause. */
  readonly ticks: () => number;
  /** Called for each failure of the shared counters. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Judges by the shared counters, and by the counters of this process while those are unavailable. After a failure and a
 * pause one request tries the shared counters again, while the others use the own counters. So a frozen Redis costs one
 * short wait now and then, and not one per request. Never fails. Contract: docs/contract/failures.md#redis.
 */
export function makeFallbackRateLimiter({ shared, own, ticks, onFailure }: FallbackDeps): RateLimiter {
  let triesAgainAt: number | null = null;
  let isTrying = false;
  const attempt = <T>(first: () => Promise<T>, second: () => Promise<T>): Promise<T> => {
    const isAway = triesAgainAt !== null;
    if (triesAgainAt !== null && (isTrying || ticks() < triesAgainAt)) return second();
    isTrying = isAway;
    return within(first(), SHARED_WAIT_MS_MAX).then(
      (result) => {
        triesAgainAt = null;
        if (isAway) isTrying = false;
        return result;
      },
      (error: unknown) => {
        triesAgainAt = ticks() + SHARED_PAUSE_MS;
        if (isAway) isTrying = false;
        onFailure(error);
        return second();
      },
    );
  };
  return {
    take: (bucket, wanted, nowMs) =>
      attempt(
        () => shared.take(bucket, wanted, nowMs),
        () => own.take(bucket, wanted, nowMs),
      ),
    giveBack: (bucket, takenAtMs, nowMs) =>
      attempt(
        () => shared.giveBack(bucket, takenAtMs, nowMs),
        () => own.giveBack(bucket, takenAtMs, nowMs),
      ),
  };
}

function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    // After a pause of this process the answer may be received but unread. It gets one more turn of the event loop.
    const refuse = (): void => reject(new Error(`no answer within ${limitMs} ms`));
    const timer = runAt(performance.now() + limitMs, () => setImmediate(refuse));
    work.then(
      (result) => {
        timer.cancel();
        resolve(result);
      },
      (error: unknown) => {
        timer.cancel();
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}
