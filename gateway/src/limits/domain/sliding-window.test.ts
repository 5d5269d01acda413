import { expect } from 'chai';
import fc from 'fast-check';
import { counted, remaining, retryAfterSeconds, uncounted, windowAt, type Window } from './sliding-window.js';

const MINUTE = 60_000;
const start = 29_000_000 * MINUTE;

const passes = (window: Window, limit: number, nowMs: number): boolean => remaining(window, limit, nowMs) > 0;

function burst(stored: Window | null, limit: number, nowMs: number, requests: number) {
  let window = windowAt(stored, nowMs);
  let passed = 0;
  for (let i = 0; i < requests; i += 1) {
    window = windowAt(window, nowMs);
    if (!passes(window, limit, nowMs)) continue;
    window = counted(window, 1);
    passed += 1;
  }
  return { window, passed };
}

describe('the sliding window', () => {
  for (const limit of [1, 2, 20, 120, 12_000]) {
    it(`accepts exactly ${limit} requests for a limit of ${limit} on an unused key`, () => {
      expect(burst(null, limit, start + 17_000, limit + 50).passed).to.equal(limit);
    });
  }

  it('accepts as many requests together as one by one', () => {
    const any = fc.record({
      limit: fc.integer({ min: 1, max: 400 }),
      count: fc.integer({ min: 0, max: 500 }),
      previousCount: fc.integer({ min: 0, max: 500 }),
      elapsed: fc.integer({ min: 0, max: MINUTE - 1 }),
    });
    fc.assert(
      fc.property(any, ({ limit, count, previousCount, elapsed }) => {
        const window = { minute: 29_000_000, count, previousCount };
        const passing = burst(window, limit, start + elapsed, 600).passed;
        expect(remaining(window, limit, start + elapsed)).to.equal(passing);
      }),
    );
  });

  it('does not accept twice the limit in a burst around a full minute', () => {
    const before = burst(null, 120, start + 59_600, 120);
    const after = burst(before.window, 120, start + MINUTE + 400, 120);
    expect(before.passed).to.equal(120);
    expect(after.passed).to.be.at.most(5);
  });

  it('is empty after two minutes', () => {
    const { window } = burst(null, 20, start + 59_999, 20);
    expect(burst(window, 20, start + 2 * MINUTE, 50).passed).to.equal(20);
  });

  it('restarts when the stored minute is far in the future, and keeps one that is a minute ahead', () => {
    const ahead = (minutes: number): Window => ({
      minute: 29_000_000 + minutes,
      count: 20,
      previousCount: 0,
    });
    expect(passes(windowAt(ahead(1), start), 20, start)).to.equal(false);
    expect(passes(windowAt(ahead(2), start), 20, start)).to.equal(true);
  });

  it('uncounts a request in the minute of its count, and in the next minute from the previous count', () => {
    const window: Window = { minute: 29_000_001, count: 3, previousCount: 5 };
    expect(uncounted(window, start + MINUTE)).to.include({ count: 2, previousCount: 5 });
    expect(uncounted(window, start)).to.include({ count: 3, previousCount: 4 });
    expect(uncounted(window, start - MINUTE)).to.deep.equal(window);
  });

  it('asks only for the wait until the minute before weighs little enough', () => {
    const wait = (count: number, previousCount: number, elapsedMs: number): number =>
      retryAfterSeconds({ minute: 29_000_000, count, previousCount }, 20, start + elapsedMs);
    expect(wait(10, 20, 0), 'until half of it is over').to.equal(30);
    expect(wait(10, 20, 20_000)).to.equal(10);
    expect(wait(5, 20, 0)).to.equal(15);
    expect(wait(10, 40, 0), 'a previous count above the limit counts as the limit').to.equal(30);
    expect(wait(20, 20, 0), 'a full minute must end first').to.equal(60);
    expect(wait(20, 0, 45_000)).to.equal(15);
  });

  it('asks for a wait of 1..60 s after which one request passes, and not a second before', () => {
    const any = fc.record({
      limit: fc.integer({ min: 1, max: 30_000 }),
      // Not doubles, nearly all of which are close to 0: the minute would hardly ever wait for the one before.
      fullness: fc.integer({ min: 0, max: 1_500 }).map((permille) => permille / 1_000),
      previousFullness: fc.integer({ min: 0, max: 1_500 }).map((permille) => permille / 1_000),
      elapsed: fc.integer({ min: 0, max: MINUTE - 1 }),
    });
    fc.assert(
      fc.property(any, ({ limit, fullness, previousFullness, elapsed }) => {
        const window = {
          minute: 29_000_000,
          count: Math.floor(limit * fullness),
          previousCount: Math.floor(limit * previousFullness),
        };
        const now = start + elapsed;
        fc.pre(!passes(window, limit, now));
        const seconds = retryAfterSeconds(window, limit, now);
        expect(seconds).to.be.within(1, 60);
        const then = now + seconds * 1_000;
        expect(passes(windowAt(window, then), limit, then)).to.equal(true);
        const sooner = then - 1_000;
        if (seconds > 1) expect(passes(windowAt(window, sooner), limit, sooner)).to.equal(false);
      }),
      { numRuns: 2_000 },
    );
  });
});
