import { SLOT_MS, type Slot } from '../generator/slots.js';

const SLOTS_PER_SECOND = 1_000 / SLOT_MS;
/** Smallest share of the calls of a good second that are accepted. */
const ACCEPTED_MIN = 0.95;
/** Smallest share of them that are quick: then p99 is within the bound. */
const QUICK_MIN = 0.99;

/**
 * Time until a target has recovered, in milliseconds: from then on the calls of a whole second were accepted, 95 % of them, with
 * p99 within the bound of a quick answer. Null: not in these slots, which begin when the load falls.
 */
export function recoveredMs(slots: readonly Slot[]): number | null {
  for (let first = 0; first + SLOTS_PER_SECOND <= slots.length; first += 1) {
    if (isGood(slots.slice(first, first + SLOTS_PER_SECOND))) return first * SLOT_MS;
  }
  return null;
}

function isGood(second: readonly Slot[]): boolean {
  const sum = (pick: (slot: Slot) => number): number => second.reduce((total, slot) => total + pick(slot), 0);
  const ended = sum((slot) => slot.ended);
  const accepted = sum((slot) => slot.accepted);
  return ended > 0 && accepted >= ACCEPTED_MIN * ended && sum((slot) => slot.quick) >= QUICK_MIN * accepted;
}
