import type { Step } from './compare.js';

/** Steps of a comparison that have a target. */
export type Priced = Exclude<Step, 'skeleton' | 'plain'>;

/** How many times the skeleton a call may cost, by the calls that are on their way. */
const PRICES: Readonly<Record<number, Readonly<Record<Priced, number>>>> = {
  16: { session: 0.5, request: 0.9, impression: 1.1 },
  64: { session: 0.4, request: 0.75, impression: 0.9 },
};

/** How many times the skeleton a call may take: p50 without load, p99 at half load. */
export const LATENCY_TARGET = 2;

/** The bound of the guard over the target: machines and days differ, and its few seconds leave the compiler work. */
const GUARD_ROOM = 1.35;

/** The price that a step should have, as a multiple of the skeleton's; null where none is set. */
export function targetOf(step: Step, concurrency: number): number | null {
  return step === 'skeleton' || step === 'plain' ? null : (PRICES[concurrency]?.[step] ?? null);
}

/** From where on the guard warns, as a multiple of the skeleton; null where no target is set. */
export function guardBoundOf(step: Step, concurrency: number): number | null {
  const target = targetOf(step, concurrency);
  return target === null ? null : target * GUARD_ROOM;
}

/** What came of a target, such as `≤ 0.75, missed`; a dash where none is set. */
export function verdictOf(seen: number, target: number | null): string {
  return target === null ? '–' : `≤ ${target}, ${seen <= target ? 'met' : 'missed'}`;
}
