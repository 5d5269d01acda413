/** Every ad format, in the order of the contract. */
export const AD_FORMATS = ['banner', 'interstitial', 'rewarded'] as const;
/** The format of the ads of a placement. Contract: docs/contract/sdk-api.md#ad-formats. */
export type AdFormat = (typeof AD_FORMATS)[number];

/** Every fallback provider. */
export const FALLBACK_PROVIDERS = ['partner', 'none'] as const;
/** The client's fallback when there is no fill. Contract: docs/contract/sdk-api.md#placement-config. */
export type FallbackProvider = (typeof FALLBACK_PROVIDERS)[number];

/** Every period of a cap. */
export const CAP_PERIODS = ['session', 'hour', 'day'] as const;
/**
 * How long a cap counts a fill. `hour` and `day` are rolling periods.
 * Contract: docs/contract/selection.md#frequency-cap.
 */
export type CapPeriod = (typeof CAP_PERIODS)[number];

/** Every status of a campaign. */
export const CAMPAIGN_STATUSES = ['active', 'paused', 'ended'] as const;
/** The status of a campaign. Only an `active` campaign is served. */
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** Every pacing. */
export const PACINGS = ['even', 'asap'] as const;
/** How a daily budget is spread over the UTC day. Contract: docs/contract/selection.md#pacing. */
export type Pacing = (typeof PACINGS)[number];

/** Every type of creative. */
export const CREATIVE_TYPES = ['image', 'video'] as const;
/** `image` is PNG, JPEG, WebP or GIF; `video` is MP4 (H.264). Contract: docs/contract/sdk-api.md#ad. */
export type CreativeType = (typeof CREATIVE_TYPES)[number];

/** The closed lists of words in fields of the catalog. */
export const CATALOG_WORDS = {
  adFormat: AD_FORMATS,
  fallbackProvider: FALLBACK_PROVIDERS,
  capPeriod: CAP_PERIODS,
  campaignStatus: CAMPAIGN_STATUSES,
  pacing: PACINGS,
  creativeType: CREATIVE_TYPES,
} as const;
/** Name of a list of {@link CATALOG_WORDS}. */
export type WordList = keyof typeof CATALOG_WORDS;
/** A word of a list. */
export type WordOf<List extends WordList> = (typeof CATALOG_WORDS)[List][number];

/** At most `count` (>= 1) fills per session and period. */
export interface FrequencyCap {
  readonly count: number;
  readonly period: CapPeriod;
}

/** What an accepted reward of a placement gives, and who is told of it. */
export interface PlacementReward {
  /** What is given, as the receiver names it: 1 to 64 characters. */
  readonly item: string;
  /** How many, 1 to 1,000,000. */
  readonly amount: number;
  /** An `https://` address with a host name. */
  readonly callback_url: string;
}
