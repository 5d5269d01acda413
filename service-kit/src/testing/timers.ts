import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Timers } from '../process/timers.js';
import type { TestClock } from './clock.js';

/** Turns of the event loop that what a timer has begun gets, before the next one is due. */
const TURNS = 20;

/** Timers that stand until a test moves them. */
export interface TestTimers extends Timers {
  /** Moves time on; what is due meanwhile runs in its order, each with some turns of the event loop for what it begins. */
  advance(byMs: number): Promise<void>;
  /** Milliseconds from now to each timer that waits, the next first. */
  readonly waitsMs: readonly number[];
}

/** Lets what was begun go on, as far as it waits for promises only. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
}

/** Makes timers that a test moves; `clock` is moved with them. */
export function makeTestTimers(clock?: TestClock): TestTimers {
  let nowMs = 0;
  let waiting: { readonly atMs: number; readonly run: () => void }[] = [];
  const moveTo = (atMs: number): void => {
    clock?.advance(atMs - nowMs);
    nowMs = atMs;
  };
  return {
    after(ms, run) {
      const timer = { atMs: nowMs + ms, run };
      waiting.push(timer);
      waiting.sort((one, other) => one.atMs - other.atMs);
      return () => (waiting = waiting.filter((each) => each !== timer));
    },
    async advance(byMs) {
      const endMs = nowMs + byMs;
      await settle();
      for (let next = waiting[0]; next !== undefined && next.atMs <= endMs; next = waiting[0]) {
        waiting.shift();
        moveTo(next.atMs);
        next.run();
        await settle();
      }
      moveTo(endMs);
    },
    get waitsMs() {
      return waiting.map(({ atMs }) => atMs - nowMs);
    },
  };
}
