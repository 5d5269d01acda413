import { MINUTE_MS } from '@placard/service-kit/pure';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  counted,
  remaining,
  retryAfterSeconds,
  uncounted,
  windowAt,
  type Window,
} from '../src/limits/domain/sliding-window.js';
import type { Bucket, Grant, RateLimiter } from '../src/limits/store/rate-limiter.js';

/** The begin of a clock minute, epoch ms. */
export const START_MS = 29_000_000 * MINUTE_MS;
let bucketCount = 0;

/** A bucket that no other test has used. */
export function aBucket(limitPerMinute: number): Bucket {
  bucketCount += 1;
  return { key: `test:${bucketCount}`, limitPerMinute };
}

/** The wait of one request in whole seconds. Null: it passes. */
export async function waitAt(limiter: RateLimiter, bucket: Bucket, nowMs: number): Promise<number | null> {
  const grant = await limiter.take(bucket, 1, nowMs);
  return 'passing' in grant ? null : grant.retryAfterSeconds;
}

/** The number of requests that pass when all are sent at once. */
export async function passedOf(
  requests: number,
  limiter: RateLimiter,
  bucket: Bucket,
  nowMs: number,
): Promise<number> {
  const waits = await Promise.all(Array.from({ length: requests }, () => waitAt(limiter, bucket, nowMs)));
  return waits.filter((wait) => wait === null).length;
}

/** The rules of the window for one bucket, without a store. */
function makeWindowModel(limit: number) {
  let stored: Window | null = null;
  return {
    take(wanted: number, nowMs: number): Grant {
      const window = windowAt(stored, nowMs);
      const passing = Math.min(wanted, remaining(window, limit, nowMs));
      stored = counted(window, passing);
      return passing > 0 ? { passing } : { retryAfterSeconds: retryAfterSeconds(window, limit, nowMs) };
    },
    giveBack(takenAtMs: number): void {
      if (stored !== null) stored = uncounted(stored, takenAtMs);
    },
  };
}

const steps = fc.array(
  fc.record({
    advanceMs: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: -2_000, max: 130_000 })),
    action: fc.constantFrom('take', 'take', 'take', 'giveBack'),
    wanted: fc.integer({ min: 1, max: 4 }),
  }),
  { maxLength: 40 },
);

/**
 * The behaviour of every rate limiter. Limiters of `open` may share their counts, because each test has its own buckets.
 * Contract: docs/contract/rate-limits.md#window.
 */
export function describeRateLimiter(name: string, open: () => RateLimiter): void {
  describe(`a rate limiter ${name}`, () => {
    it('accepts exactly the limit on an unused key, even at once', async () => {
      expect(await passedOf(60, open(), aBucket(20), START_MS + 5_000)).to.equal(20);
    });

    it('grants as many of the wanted requests as pass, and counts no others', async () => {
      const [limiter, bucket] = [open(), aBucket(20)];
      expect(await limiter.take(bucket, 15, START_MS)).to.deep.equal({ passing: 15 });
      expect(await limiter.take(bucket, 15, START_MS)).to.deep.equal({ passing: 5 });
      expect(await limiter.take(bucket, 15, START_MS)).to.deep.equal({ retryAfterSeconds: 60 });
    });

    it('counts each bucket by itself', async () => {
      const [limiter, first, second] = [open(), aBucket(2), aBucket(3)];
      expect(await passedOf(5, limiter, first, START_MS)).to.equal(2);
      expect(await passedOf(5, limiter, second, START_MS)).to.equal(3);
    });

    it('weighs what passed in the minute before by what still overlaps', async () => {
      const [limiter, bucket] = [open(), aBucket(20)];
      expect(await passedOf(30, limiter, bucket, START_MS + 59_999)).to.equal(20);
      expect(await passedOf(30, limiter, bucket, START_MS + MINUTE_MS + 29_999)).to.equal(10);
    });

    it('starts anew after two minutes', async () => {
      const [limiter, bucket] = [open(), aBucket(5)];
      await passedOf(9, limiter, bucket, START_MS);
      expect(await passedOf(9, limiter, bucket, START_MS + 2 * MINUTE_MS)).to.equal(5);
    });

    it('does not extend the wait for refused requests', async () => {
      const [limiter, bucket] = [open(), aBucket(20)];
      await passedOf(20, limiter, bucket, START_MS + 5_000);
      expect(await waitAt(limiter, bucket, START_MS + 10_000)).to.equal(50);
      await passedOf(500, limiter, bucket, START_MS + 59_000);
      expect(await waitAt(limiter, bucket, START_MS + 59_500)).to.equal(1);
      expect(await waitAt(limiter, bucket, START_MS + 60_500)).to.equal(null);
    });

    it('answers the first whole second after which a request passes', async () => {
      const [limiter, bucket] = [open(), aBucket(20)];
      await passedOf(20, limiter, bucket, START_MS + 5_000);
      const nowMs = START_MS + MINUTE_MS + 500;
      expect(await waitAt(limiter, bucket, nowMs)).to.equal(null);
      expect(await waitAt(limiter, bucket, nowMs)).to.equal(3);
      expect(await waitAt(limiter, bucket, nowMs + 2_000)).to.equal(1);
      expect(await waitAt(limiter, bucket, nowMs + 3_000)).to.equal(null);
    });

    it('keeps the later minute for a clock that runs late', async () => {
      const [limiter, bucket] = [open(), aBucket(2)];
      await passedOf(2, limiter, bucket, START_MS + MINUTE_MS);
      expect(await waitAt(limiter, bucket, START_MS + MINUTE_MS - 1_000)).to.equal(60);
    });

    it('accepts another request after one was given back, in its minute and after it', async () => {
      const [limiter, bucket] = [open(), aBucket(2)];
      expect(await passedOf(3, limiter, bucket, START_MS)).to.equal(2);
      await limiter.giveBack(bucket, START_MS, START_MS);
      expect(await passedOf(3, limiter, bucket, START_MS)).to.equal(1);
      await limiter.giveBack(bucket, START_MS, START_MS + MINUTE_MS);
      await limiter.giveBack(bucket, START_MS, START_MS + MINUTE_MS);
      expect(await passedOf(5, limiter, bucket, START_MS + MINUTE_MS)).to.equal(2);
    });

    it('gives back no more than was counted', async () => {
      const [limiter, bucket] = [open(), aBucket(2)];
      await limiter.giveBack(bucket, START_MS, START_MS);
      expect(await passedOf(5, limiter, bucket, START_MS)).to.equal(2);
      for (let turn = 0; turn < 3; turn += 1) await limiter.giveBack(bucket, START_MS, START_MS);
      expect(await passedOf(5, limiter, bucket, START_MS)).to.equal(2);
    });

    it('decides like the rules of the window, for any sequence', async () => {
      const run = fc.asyncProperty(fc.integer({ min: 1, max: 6 }), steps, async (limit, history) => {
        const [limiter, bucket, model] = [open(), aBucket(limit), makeWindowModel(limit)];
        let [nowMs, takenAtMs] = [START_MS, START_MS];
        for (const { advanceMs, action, wanted } of history) {
          // Keys in Redis expire by the clock of Redis, which does not move here. Only the rules are compared.
          nowMs += advanceMs;
          if (action === 'giveBack') {
            await limiter.giveBack(bucket, takenAtMs, nowMs);
            model.giveBack(takenAtMs);
            continue;
          }
          const grant = await limiter.take(bucket, wanted, nowMs);
          expect(grant).to.deep.equal(model.take(wanted, nowMs));
          if ('passing' in grant) takenAtMs = nowMs;
        }
      });
      await fc.assert(run, { numRuns: 60 });
    });
  });
}
