import { TimerWheel, type WheelTimer } from '../pure/timer-wheel.js';
import type { Timers } from './timers.js';

/** A callback is late by less than this, in milliseconds, unless the event loop is blocked. */
const TICK_MS = 5;
/** One turn takes 2.56 seconds: about the longest deadline of a call. */
const SLOTS = 512;

const wheel = new TimerWheel(TICK_MS, SLOTS, performance.now());
let ticking: NodeJS.Timeout | null = null;

/**
 * Calls `run` at `atMs` of `performance.now()`, up to 5 ms late. It is meant for deadlines: there are very many, and
 * few of them pass. All timers of a process share one system timer, which does not keep the process alive. `run` must
 * not throw.
 */
export function runAt(atMs: number, run: () => void): WheelTimer {
  if (ticking === null) {
    wheel.advance(performance.now());
    ticking = setInterval(tick, TICK_MS).unref();
  }
  return wheel.add(atMs, run);
}

/** Waits up to 5 ms longer, and costs little. It is meant for waits of requests that seldom last to their end. */
export const coarseTimers: Timers = {
  after(ms, run) {
    const timer = runAt(performance.now() + ms, run);
    return () => timer.cancel();
  },
};

function tick(): void {
  wheel.advance(performance.now());
  if (wheel.count > 0 || ticking === null) return;
  clearInterval(ticking);
  ticking = null;
}
