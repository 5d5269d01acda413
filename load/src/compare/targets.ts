import type { Step } from './compare.js';

/** Steps of a comparison that have a target. */
export type Priced = Exclude<Step, 'skeleton' | 'plain'>;

/** Targets of the price of a call, as multiples of the skeleton's, by number of pending calls. */
const PRICES: Readonly<Record<number, Readonly<Record<Priced, number>>>> = {
  16: { session: 0.5, request: 0.9, impression: 1.1 },
  64: { session: 0.4, request: 0.75, impression: 0.9 },
};

/** Target of the latency as a multiple of the skeleton's: p50 without load, p99 at half load. */
export const LATENCY_TARGET = 2;

/** The guard's bound as a multiple of the target. It allows for other machines and for code that is not optimized yet. */
const GUARD_ROOM = 1.35;

/** The target of a step's price as a multiple of the skeleton's; null: none. */
export function targetOf(step: Step, concurrency: number): number | null {
  return step === 'skeleton' || step === 'plain' ? null : (PRICES[concurrency]?.[step] ?? null);
}

/** The guard's bound of a step as a multiple of the skeleton's price; null: no target. */
export function guardBoundOf(step: Step, concurrency: number): number | null {
  const target = targetOf(step, concurrency);
  return target === null ? null : target * GUARD_ROOM;
}

/** The verdict on a target, such as `≤ 0.75, missed`; a dash when there is none. */
export function verdictOf(seen: number, target: number | null): string {
  return target === null ? '–' : `≤ ${target}, ${seen <= target ? 'met' : 'missed'}`;
}
