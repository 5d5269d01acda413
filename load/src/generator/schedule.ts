import type { Chance } from '../chance.js';

/**
 * Send times of an open loop in milliseconds from the start, ascending, as a Poisson process with a rate per second. The plan
 * does not depend on answers, because phones do not wait for each other.
 */
export function* plannedTimes(ratePerSecond: number, durationMs: number, chance: Chance): Generator<number> {
  const meanGapMs = 1_000 / ratePerSecond;
  for (let atMs = gap(meanGapMs, chance); atMs < durationMs; atMs += gap(meanGapMs, chance)) yield atMs;
}

function gap(meanMs: number, chance: Chance): number {
  return -Math.log(1 - chance.next()) * meanMs;
}
