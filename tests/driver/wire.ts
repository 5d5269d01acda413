/** Answers of the SDK API by the contract (docs/contract/sdk-api.md#the-sdk-api). */

/** Remote configuration of a session. */
export interface Config {
  readonly serving_enabled: boolean;
  readonly request_timeout_ms: number;
  readonly fallback_enabled: boolean;
  readonly test_mode: boolean;
  readonly config_ttl_seconds: number;
}

/** A placement in the answer of initialize. */
export interface PlacementConfig {
  readonly code: string;
  readonly format: string;
  readonly service_enabled: boolean;
  readonly fallback_provider: string;
  readonly partner_ad_unit_id: string | null;
  readonly request_timeout_ms: number;
  readonly frequency_cap_count: number | null;
  readonly frequency_cap_period: string | null;
  readonly banner_refresh_seconds: number;
}

/** The ad of a fill. */
export interface Ad {
  readonly id: string;
  readonly campaign_id: string;
  readonly creative_id: string;
  readonly format: string;
  readonly creative_type: string;
  readonly creative_url: string;
  readonly click_url: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly duration_seconds: number | null;
  readonly impression_token: string;
  readonly expires_at: string;
  readonly test: boolean;
}

/** All fields of all answers. A test reads those that its own answer must have. */
export interface AnswerBody {
  readonly session_token: string;
  readonly session_expires_at: string;
  readonly config: Config;
  readonly placements: readonly PlacementConfig[];
  readonly status: string;
  readonly request_id: string;
  readonly ad: Ad;
  readonly fallback: string;
  readonly reason: string;
  readonly rewarded: boolean;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly fields?: Readonly<Record<string, readonly string[]>>;
  };
}

/** A fill: the fields that its events must send, and the whole ad. */
export interface Fill {
  readonly requestId: string;
  readonly token: string;
  readonly ad: Ad;
}
