/** Shape of an ad on the screen. Contract: docs/contract/sdk-api.md#ad-formats. */
export type AdFormat = 'banner' | 'interstitial' | 'rewarded';

/** Why an ad request was not filled. Contract: docs/contract/sdk-api.md#no-fill-reasons. */
export type NoFillReason =
  'no_eligible_campaign' | 'serving_disabled' | 'placement_disabled' | 'frequency_capped' | 'test_no_fill';

/** Why the app used another network. `disabled` is the SDK's own reason; it is sent as `no_fill`. */
export type FallbackReason = 'no_fill' | 'timeout' | 'error' | 'creative_failed' | 'disabled';

/** Configuration of the app. Contract: docs/contract/sdk-api.md#config. */
export interface Config {
  /** False while no ad of the app is served. */
  readonly serving_enabled: boolean;
  /** Time budget of a request, in milliseconds. */
  readonly request_timeout_ms: number;
  /** False: the app uses no other network. */
  readonly fallback_enabled: boolean;
  /** Time that the configuration may be kept, in seconds. */
  readonly config_ttl_seconds: number;
}

/** Configuration of a placement. Contract: docs/contract/sdk-api.md#placement-config. */
export interface PlacementConfig {
  readonly code: string;
  readonly format: AdFormat;
  /** False while the placement is switched off. */
  readonly service_enabled: boolean;
  readonly fallback_provider: 'partner' | 'none';
  /** The publisher's unit at the other network; null without one. */
  readonly partner_ad_unit_id: string | null;
  /** 100 to 5,000 milliseconds. */
  readonly request_timeout_ms: number;
  /** At least 30 seconds. */
  readonly banner_refresh_seconds: number;
}

/** An ad of a fill. Contract: docs/contract/sdk-api.md#ad. */
export interface Ad {
  readonly id: string;
  readonly campaign_id: string;
  readonly creative_id: string;
  readonly format: AdFormat;
  readonly creative_type: 'image' | 'video';
  readonly creative_url: string;
  readonly click_url: string;
  /** Pixels; null when unknown. */
  readonly width: number | null;
  readonly height: number | null;
  /** Null for images. */
  readonly duration_seconds: number | null;
  readonly impression_token: string;
  /** ISO 8601. The ad is not displayed after this instant. */
  readonly expires_at: string;
  readonly test: boolean;
}

/** Answer of `initialize`. */
export interface SessionAnswer {
  readonly session_token: string;
  readonly session_expires_at: string;
  readonly config: Config;
  readonly placements: readonly PlacementConfig[];
}

/** Answer of an ad request. */
export type AdAnswer =
  | { readonly status: 'fill'; readonly request_id: string; readonly ad: Ad }
  | {
      readonly status: 'no_fill';
      readonly request_id: string;
      readonly fallback: 'partner' | 'none';
      readonly reason: NoFillReason;
    };
