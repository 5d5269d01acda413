import type { Breaker } from '@placard/service-kit/breaker';
import type { RateLimiter } from './rate-limiter.js';

/**
 * Longest wait for the shared counters, in milliseconds: well above a network that takes 200. A request waits twice, for the
 * limit of its network and then for the others. Both waits leave the services some of the second that a placement gives a
 * request by default.
 */
const COUNT_MS_MAX = 350;

/** Dependencies of the limiter. */
export interface FallbackDeps {
  readonly shared: RateLimiter;
  readonly own: RateLimiter;
  /** The breaker in front of the shared counters. */
  readonly breaker: Pick<Breaker, 'guard'>;
  /** Called for each failure of the shared counters. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Judges by the shared counters, and by the counters of this process while those are unavailable. So a frozen Redis costs one
 * short wait now and then, and not one per request. Never fails. Contract: docs/contract/failures.md#redis.
 */
export function makeFallbackRateLimiter({ shared, own, breaker, onFailure }: FallbackDeps): RateLimiter {
  const guarded = breaker.guard(COUNT_MS_MAX, shared);
  const orElse =
    <T>(second: () => Promise<T>) =>
    (error: unknown): Promise<T> => {
      onFailure(error);
      return second();
    };
  return {
    take: (bucket, wanted, nowMs) =>
      guarded.take(bucket, wanted, nowMs).catch(orElse(() => own.take(bucket, wanted, nowMs))),
    giveBack: (bucket, takenAtMs, nowMs) =>
      guarded.giveBack(bucket, takenAtMs, nowMs).catch(orElse(() => own.giveBack(bucket, takenAtMs, nowMs))),
  };
}
