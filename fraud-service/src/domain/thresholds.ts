/**
 * The numbers of the fraud rules; all can be changed by the operator.
 * Contract: docs/contract/fraud-rules.md#thresholds.
 */
export interface Thresholds {
  /** Ad requests of one session that pass in any minute; at least 1. */
  readonly adRequestsPerMinute: number;
  /** How many times the displays that its refresh allows a banner placement may count in an hour; above 0. */
  readonly bannerImpressionFactor: number;
  /** Impressions of one full-screen placement in one session in any hour; at least 1. */
  readonly fullscreenImpressionsPerHour: number;
  /** Impressions of one session in any hour, over all placements; at least 1. */
  readonly sessionImpressionsPerHour: number;
  /** Clicks of one session in any hour; at least 1. */
  readonly clicksPerHour: number;
  /** Clicks ÷ impressions that a session may reach, 0..1. */
  readonly ctrMax: number;
  /** Impressions of a session from which on its click-through rate is judged; at least 1. */
  readonly ctrImpressionsMin: number;
  /** Milliseconds between the arrivals of an impression and of its click; 0 switches the rule off. */
  readonly clickDelayMsMin: number;
}

/** The contract's numbers. */
export const SPECIFIED_THRESHOLDS: Thresholds = {
  adRequestsPerMinute: 30,
  bannerImpressionFactor: 1.5,
  fullscreenImpressionsPerHour: 60,
  sessionImpressionsPerHour: 720,
  clicksPerHour: 20,
  ctrMax: 0.5,
  ctrImpressionsMin: 10,
  clickDelayMsMin: 1_000,
};
