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
] as const;
/** One of {@link REPORT_KEYS}. */
export type ReportKey = (typeof REPORT_KEYS)[number];

/** The kind of an account's owner. `platform` and `deposits` have one account each, whose id is the kind. */
export type AccountKind = 'advertiser' | 'publisher' | 'platform' | 'deposits';
