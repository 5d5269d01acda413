import type { Clock } from '../pure/clock.js';
import type { Random } from '../pure/random.js';

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  set(atMs: number): void;
  advance(byMs: number): void;
}

/** Makes a clock that stands still at `startMs`. */
export function makeTestClock(startMs: number): TestClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    set: (atMs) => {
      nowMs = atMs;
    },
    advance: (byMs) => {
      nowMs += byMs;
    },
  };
}

/** Makes randomness that is the same for the same seed (mulberry32). */
export function makeTestRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { next, bytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(next() * 256)) };
}
