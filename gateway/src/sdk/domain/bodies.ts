/** The bodies of the SDK API in JSON. Contract: docs/contract/sdk-api.md#the-sdk-api. */

import type {
  AdFormat,
  CapPeriod,
  CreativeType,
  FallbackProvider,
  FallbackReason,
  NoFillReason,
} from '@placard/service-kit/pure';

/**
 * An optional field. Null and, for texts, the empty text count as absent. Contract: docs/contract/requests.md#null,
 * docs/contract/requests.md#empty-and-unreadable-texts.
 */
type Optional<T> = T | null;

/** Valid body of `POST /sdk/initialize`. */
export interface InitializeBody {
  readonly app_key: string;
  readonly package_name: string;
  readonly sdk_version?: Optional<string>;
  readonly app_version?: Optional<string>;
  readonly os_version?: Optional<string>;
  readonly test_mode?: Optional<boolean>;
}

/** The texts of an ad request that only refine the choice of an ad. serving-service has the same names. */
export const REFINING_TEXTS = ['language', 'android_version'] as const;
/** The name of a refining text. */
export type RefiningText = (typeof REFINING_TEXTS)[number];

/** Valid body of `POST /ads/request`. */
export interface AdRequestBody extends Readonly<Partial<Record<RefiningText, Optional<string>>>> {
  readonly app_key: string;
  readonly placement: string;
  readonly format: AdFormat;
  readonly session_token: string;
  readonly screen_width?: Optional<number>;
  readonly screen_height?: Optional<number>;
  readonly app_version?: Optional<string>;
  readonly sdk_version?: Optional<string>;
  readonly test_mode?: Optional<boolean>;
  readonly test_force_no_fill?: Optional<boolean>;
}

/** Valid body of `POST /events/impression` and `/events/click`. */
export interface AdEventBody {
  readonly request_id: string;
  readonly impression_token: string;
}

/** Valid body of `POST /events/reward`. */
export interface RewardEventBody extends AdEventBody {
  readonly completion: boolean;
}

/** Valid body of `POST /events/fallback`. */
export interface FallbackEventBody {
  readonly session_token: string;
  readonly placement: string;
  readonly reason: FallbackReason;
}

/** Contract: docs/contract/sdk-api.md#session. */
export interface Session {
  readonly session_token: string;
  readonly session_expires_at: string;
  readonly config: Config;
  readonly placements: readonly PlacementConfig[];
}

/** Contract: docs/contract/sdk-api.md#config. */
export interface Config {
  readonly serving_enabled: boolean;
  readonly request_timeout_ms: number;
  readonly fallback_enabled: boolean;
  readonly test_mode: boolean;
  readonly config_ttl_seconds: number;
}

/** Contract: docs/contract/sdk-api.md#placement-config. */
export interface PlacementConfig {
  readonly code: string;
  readonly format: AdFormat;
  readonly service_enabled: boolean;
  readonly fallback_provider: FallbackProvider;
  readonly partner_ad_unit_id: string | null;
  readonly request_timeout_ms: number;
  readonly frequency_cap_count: number | null;
  readonly frequency_cap_period: CapPeriod | null;
  readonly banner_refresh_seconds: number;
}

/** Contract: docs/contract/sdk-api.md#ad. */
export interface Ad {
  readonly id: string;
  readonly campaign_id: string;
  readonly creative_id: string;
  readonly format: AdFormat;
  readonly creative_type: CreativeType;
  readonly creative_url: string;
  readonly click_url: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly duration_seconds: number | null;
  readonly impression_token: string;
  readonly expires_at: string;
  readonly test: boolean;
}

/** The answer to an ad request. Contract: docs/contract/sdk-api.md#post-adsrequest. */
export type AdAnswer =
  | { readonly status: 'fill'; readonly request_id: string; readonly ad: Ad }
  | {
      readonly status: 'no_fill';
      readonly request_id: string;
      readonly fallback: FallbackProvider;
      readonly reason: NoFillReason;
    };

/**
 * An optional text for the services. An empty text is absent.
 * Contract: docs/contract/requests.md#empty-and-unreadable-texts.
 */
export function presentText(text: Optional<string> | undefined): string | undefined {
  return text === null || text === '' ? undefined : text;
}
