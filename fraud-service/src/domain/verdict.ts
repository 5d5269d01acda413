/**
 * Every fraud rule by the name that verdicts, metrics and the suspicious-event log carry.
 * Contract: docs/contract/fraud-rules.md#rules.
 */
export const FRAUD_RULES = [
  'ad_requests_per_minute',
  'banner_impressions_per_hour',
  'fullscreen_impressions_per_hour',
  'session_impressions_per_hour',
  'click_delay',
  'clicks_per_hour',
  'click_through_rate',
] as const;

/** Name of a fraud rule. */
export type FraudRule = (typeof FRAUD_RULES)[number];

/** What is said of an ad request or event: the first rule that it breaks. Null: it passes, and is counted. */
export type Verdict = FraudRule | null;
