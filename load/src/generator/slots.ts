import type { Outcome } from './api.js';

/** Calls that were planned in the same tenth of a second. */
export interface Slot {
  /** All of them. */
  readonly ended: number;
  readonly accepted: number;
  /** Accepted within the bound of a quick answer. */
  readonly quick: number;
}

/** Length of a slot in milliseconds. */
export const SLOT_MS = 100;

/** Counts calls by the time at which they were planned. */
export class Slots {
  readonly #quickMs: number;
  readonly #slots: { ended: number; accepted: number; quick: number }[] = [];

  /** `quickMs` is the longest latency of a quick answer. */
  constructor(quickMs: number) {
    this.#quickMs = quickMs;
  }

  /** Counts a call that was planned `atMs` after the first slot began. */
  record(atMs: number, outcome: Outcome, latencyMs: number): void {
    const index = Math.floor(atMs / SLOT_MS);
    while (this.#slots.length <= index) this.#slots.push({ ended: 0, accepted: 0, quick: 0 });
    const slot = this.#slots[index];
    if (slot === undefined) return;
    slot.ended += 1;
    if (outcome !== 'accepted') return;
    slot.accepted += 1;
    if (latencyMs <= this.#quickMs) slot.quick += 1;
  }

  /** The slots in their order. */
  all(): readonly Slot[] {
    return this.#slots;
  }
}

/** The slots of several generators that ran at the same time, in sum. */
export function sumSlots(parts: readonly (readonly Slot[])[]): readonly Slot[] {
  const length = Math.max(0, ...parts.map((part) => part.length));
  return Array.from({ length }, (_, at) => {
    const same = parts.flatMap((part) => part[at] ?? []);
    const sum = (pick: (slot: Slot) => number): number => same.reduce((total, slot) => total + pick(slot), 0);
    return {
      ended: sum((slot) => slot.ended),
      accepted: sum((slot) => slot.accepted),
      quick: sum((slot) => slot.quick),
    };
  });
}
