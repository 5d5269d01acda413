/** What share of reservations becomes impressions, each 0..1. */
export interface ShowRates {
  /** Of all fills. */
  readonly show: number;
  /** Of those that are still open in the second minute after theirs: far lower, since most are shown within seconds. */
  readonly late: number;
}

/** What became of a campaign's closed fills, in nano-units; older days count for less. */
export interface ClosedFills {
  readonly shownNanos: number;
  readonly unshownNanos: number;
  /** Of what was shown, what was shown in the second minute after the fill's or later. */
  readonly lateNanos: number;
}

/** A campaign of which no fill is closed yet. */
export const NO_CLOSED_FILLS: ClosedFills = { shownNanos: 0, unshownNanos: 0, lateNanos: 0 };

/** The prior, as if so many impressions had been seen: 0.7 of all, 0.25 of those that are open for minutes. */
const PRIOR_SHOWN = 14;
const PRIOR_UNSHOWN = 6;
const PRIOR_LATE = 2;

/** The rates of a campaign; with nothing seen they are 0.7 and 0.25. `costNanos` is the price of one impression. */
export function toShowRates(closed: ClosedFills, costNanos: number): ShowRates {
  const shown = closed.shownNanos + PRIOR_SHOWN * costNanos;
  const unshown = closed.unshownNanos + PRIOR_UNSHOWN * costNanos;
  const late = closed.lateNanos + PRIOR_LATE * costNanos;
  return { show: shareOf(shown, unshown), late: shareOf(late, unshown) };
}

function shareOf(part: number, rest: number): number {
  const whole = part + rest;
  return whole > 0 ? part / whole : 0;
}
