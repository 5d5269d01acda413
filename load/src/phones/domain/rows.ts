import type { RowKey } from './tally.js';

/** The row of a placement in a country. */
export function placementRow(app: string, placement: string, country: string): RowKey {
  return `${app}/${placement}/${country}`;
}

/** The row of a campaign in an app. */
export function campaignRow(app: string, campaign: string): RowKey {
  return `${app} ${campaign}`;
}

/** The row of an app. */
export function appRow(app: string): RowKey {
  return app;
}

/** The name of a figure that is split by reasons, such as `refused duplicate`. */
export function byReason(figure: 'no-fill' | 'fallback' | 'refused' | 'error', reason: string): string {
  return `${figure} ${reason}`;
}

/**
 * A reason of a no-fill as a phone sees it: a request over the fraud cap gets `no_eligible_campaign`.
 * Contract: docs/contract/fraud-rules.md#over-the-ad-request-cap.
 */
export function seenReason(reported: string): string {
  return reported === 'over_fraud_cap' ? 'no_eligible_campaign' : reported;
}
