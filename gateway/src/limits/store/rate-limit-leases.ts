import { makeBoundedMap } from '@placard/service-kit/background';
import { MINUTE_MS } from '@placard/service-kit/pure';
import { leaseSize } from '../domain/rate-limits.js';
import type { Bucket, Grant, RateLimiter } from './rate-limiter.js';

/** The wait in whole seconds (1..60) until a request would pass. Null: it passes. */
export type RetryAfterSeconds = number | null;

/** Accepts single requests, with the help of leases. */
export interface RateLimitLeases {
  /** Counts the request if it passes. A refused request is not counted. Synchronous when there is a lease. */
  take(bucket: Bucket, nowMs: number): RetryAfterSeconds | Promise<RetryAfterSeconds>;
  /** Uncounts a request that passed here at `takenAtMs` and was refused later. */
  giveBack(bucket: Bucket, takenAtMs: number, nowMs: number): Promise<void>;
}

/** Most buckets with a lease: some megabytes. Beyond it the least recently used lease is dropped and taken again. */
export const LEASES_MAX = 100_000;

/** Requests of one bucket that may pass without a call of the limiter. */
interface Lease {
  left: number;
  /** The running call for more requests. Its result is the wait when there are none. Null: no call is running. */
  refilling: Promise<RetryAfterSeconds> | null;
}

/**
 * Takes the quota of large limits in small leases, so that most requests need no call of the limiter. A lease counts as
 * used when it is taken and ends with its clock minute, so no more requests pass than the limit allows. Several
 * gateways with leases refuse slightly early. Requests under small limits are counted one by one.
 * Contract: docs/contract/rate-limits.md#leases-of-large-limits.
 */
export function makeRateLimitLeases(limiter: RateLimiter): RateLimitLeases {
  let minute = 0;
  const leases = makeBoundedMap<string, Lease>(LEASES_MAX);
  const leaseAt = (key: string, nowMs: number): Lease => {
    const current = Math.floor(nowMs / MINUTE_MS);
    if (current !== minute) {
      minute = current;
      leases.clear();
    }
    let lease = leases.get(key);
    if (lease === undefined) {
      lease = { left: 0, refilling: null };
      leases.set(key, lease);
    }
    return lease;
  };
  const refill = async (bucket: Bucket, wanted: number, lease: Lease, nowMs: number) => {
    try {
      const grant = await limiter.take(bucket, wanted, nowMs);
      if ('passing' in grant) lease.left += grant.passing;
      return waitOf(grant);
    } finally {
      lease.refilling = null;
    }
  };
  const takeLater = async (bucket: Bucket, size: number, lease: Lease, nowMs: number) => {
    while (lease.left === 0) {
      lease.refilling ??= refill(bucket, size, lease, nowMs);
      const wait = await lease.refilling;
      if (wait !== null) return wait;
    }
    lease.left -= 1;
    return null;
  };
  return {
    take(bucket, nowMs) {
      const size = leaseSize(bucket.limitPerMinute);
      if (size === 1) return limiter.take(bucket, 1, nowMs).then(waitOf);
      const lease = leaseAt(bucket.key, nowMs);
      if (lease.left === 0) return takeLater(bucket, size, lease, nowMs);
      lease.left -= 1;
      return null;
    },
    async giveBack(bucket, takenAtMs, nowMs) {
      const isOfNow = [takenAtMs, nowMs].every((ms) => Math.floor(ms / MINUTE_MS) === minute);
      const lease = isOfNow ? leases.get(bucket.key) : undefined;
      // A gateway holds back at most one lease from the others.
      if (lease !== undefined && lease.left < leaseSize(bucket.limitPerMinute)) lease.left += 1;
      else await limiter.giveBack(bucket, takenAtMs, nowMs);
    },
  };
}

/** The wait of a request that was counted without a lease. */
function waitOf(grant: Grant): RetryAfterSeconds {
  return 'retryAfterSeconds' in grant ? grant.retryAfterSeconds : null;
}
