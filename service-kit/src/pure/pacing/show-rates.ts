/** The shares of reservations that become impressions, each 0..1. */
export interface ShowRates {
  /** The share among all fills. */
  readonly show: number;
  /**
   * The share among fills that are still open in the second minute after theirs. It is far lower, because most fills
   * are shown within seconds.
   */
  readonly late: number;
}

/** The outcomes of a campaign's closed fills, in nano-units. Older days count less. */
export interface ClosedFills {
  readonly shownNanos: number;
  readonly unshownNanos: number;
  /** The part of the shown fills that were shown in the second minute after the fill's or later. */
  readonly lateNanos: number;
}

/** The value for a campaign without closed fills. */
export const NO_CLOSED_FILLS: ClosedFills = { shownNanos: 0, unshownNanos: 0, lateNanos: 0 };

/** The prior, as a number of observed impressions: 0.7 of all fills, 0.25 of those that are open for minutes. */
const PRIOR_SHOWN = 14;
const PRIOR_UNSHOWN = 6;
const PRIOR_LATE = 2;

/** The rates of a campaign. Without data they are 0.7 and 0.25. `costNanos` is the price of one impression. */
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
