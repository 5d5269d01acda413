// Values of the SDK API that one service writes and another reads, in the order of the contract.

/** Every reason of a no-fill; the set is closed. Contract: docs/contract/sdk-api.md#no-fill-reasons. */
export const NO_FILL_REASONS = [
  'no_eligible_campaign',
  'serving_disabled',
  'placement_disabled',
  'frequency_capped',
  'test_no_fill',
] as const;
/** One of {@link NO_FILL_REASONS}. */
export type NoFillReason = (typeof NO_FILL_REASONS)[number];

/**
 * The reasons of no-fills in reports, in their order. A client whose request is over the fraud cap gets the reason
 * `no_eligible_campaign`. Contract: docs/contract/fraud-rules.md#over-the-ad-request-cap.
 */
export const REPORTED_NO_FILL_REASONS = [...NO_FILL_REASONS, 'over_fraud_cap'] as const;
/** One of {@link REPORTED_NO_FILL_REASONS}. */
export type ReportedNoFillReason = (typeof REPORTED_NO_FILL_REASONS)[number];

/**
 * The errors of the SDK API that reports count, by status and code. Each shows a fault of an integration.
 * Contract: docs/contract/reports.md#errors.
 */
export const INTEGRATION_ERRORS = [
  '401.invalid_app_key',
  '401.invalid_session',
  '401.session_expired',
  '403.package_mismatch',
  '403.app_not_approved',
  '404.placement_not_found',
  '422.format_mismatch',
  '422.validation_failed',
  '429.rate_limited',
] as const;
/** One of {@link INTEGRATION_ERRORS}. */
export type IntegrationError = (typeof INTEGRATION_ERRORS)[number];

/**
 * Every step at which a campaign can lose an ad request, in the order of selection.
 * Contract: docs/contract/explanations.md#steps.
 */
export const SELECTION_STEPS = [
  'status',
  'schedule',
  'approval',
  'creative',
  'format',
  'app',
  'category',
  'country',
  'language',
  'android_version',
  'cap',
  'balance',
  'budget_total',
  'budget_daily',
  'pacing',
  'outbid',
] as const;
/** One of {@link SELECTION_STEPS}. */
export type SelectionStep = (typeof SELECTION_STEPS)[number];

/** Events that an impression token authenticates. Contract: docs/contract/sdk-api.md#events. */
export const AD_EVENT_TYPES = ['impression', 'click', 'reward'] as const;
/** One of {@link AD_EVENT_TYPES}. */
export type AdEventType = (typeof AD_EVENT_TYPES)[number];

/** Every kind of event. */
export const EVENT_TYPES = [...AD_EVENT_TYPES, 'fallback'] as const;
/** One of {@link EVENT_TYPES}. */
export type EventType = (typeof EVENT_TYPES)[number];

/** Every reason for the rejection of an event. Each is final. Contract: docs/contract/sdk-api.md#event-rejections. */
export const REJECTION_REASONS = [
  'duplicate',
  'invalid_token',
  'expired_token',
  'request_mismatch',
  'no_impression',
  'suspicious',
] as const;
/** One of {@link REJECTION_REASONS}. */
export type RejectionReason = (typeof REJECTION_REASONS)[number];

/** The answer to the report of an impression, click or reward. */
export type EventVerdict = 'accepted' | RejectionReason;

/** Every reason of a fallback. Contract: docs/contract/sdk-api.md#event-payloads. */
export const FALLBACK_REASONS = ['no_fill', 'timeout', 'error', 'creative_failed'] as const;
/** One of {@link FALLBACK_REASONS}. */
export type FallbackReason = (typeof FALLBACK_REASONS)[number];

/** The columns by which a report can be split. Contract: docs/contract/operator-interface.md#report. */
export const REPORT_KEYS = [
  'hour',
  'day',
  'publisher',
  'app',
  'placement',
  'format',
  'country',
  'advertiser',
  'campaign',
  'creative',
  'app_version',
  'sdk_version',
] as const;
/** One of {@link REPORT_KEYS}. */
export type ReportKey = (typeof REPORT_KEYS)[number];

/** The kind of an account. `platform`, `deposits` and `payouts` have one account each, whose id is the kind. */
export type AccountKind = 'advertiser' | 'publisher' | 'platform' | 'deposits' | 'payouts';
