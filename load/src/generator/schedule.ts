import type { Chance } from '../chance.js';

/** A time of constant load. */
export interface Stretch {
  /** Calls per second. */
  readonly rate: number;
  readonly durationMs: number;
}

/**
 * Send times of an open loop in milliseconds from the start, ascending, as a Poisson process whose rate changes from one stretch
 * to the next. The plan does not depend on answers, because phones do not wait for each other.
 */
export function* plannedTimes(stretches: readonly Stretch[], chance: Chance): Generator<number> {
  let startMs = 0;
  for (const { rate, durationMs } of stretches) {
    const meanGapMs = 1_000 / rate;
    const endMs = startMs + durationMs;
    for (let atMs = startMs + gap(meanGapMs, chance); atMs < endMs; atMs += gap(meanGapMs, chance))
      yield atMs;
    startMs = endMs;
  }
}

function gap(meanMs: number, chance: Chance): number {
  return -Math.log(1 - chance.next()) * meanMs;
}
