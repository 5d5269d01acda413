/** The two arrivals that the rule compares, epoch ms. */
export interface ClickArrivals {
  readonly impressionArrivedAtMs: number;
  readonly arrivedAtMs: number;
}

/**
 * Whether a click came too soon after its impression: less than `delayMsMin` between their arrivals at the service. The
 * one rule that needs no counter. Contract: docs/contract/fraud-rules.md#click-delay.
 */
export function isClickTooSoon(click: ClickArrivals, delayMsMin: number): boolean {
  return click.arrivedAtMs - click.impressionArrivedAtMs < delayMsMin;
}
