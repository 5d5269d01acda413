import type { AdFormat } from './catalog/catalog-words.js';
import type {
  AdvertiserId,
  AppId,
  CampaignId,
  CreativeId,
  PlacementCode,
  PublisherId,
  RequestId,
  SessionId,
} from './ids.js';

/** What a session token says. Instants are epoch ms. Contract: docs/contract/sdk-api.md#session-token. */
export interface SessionClaims {
  readonly sessionId: SessionId;
  readonly appId: AppId;
  /** The package name that the app was registered with when the session started. */
  readonly packageName: string;
  readonly isTest: boolean;
  readonly issuedAtMs: number;
  /** The token counts before this instant and not at it. */
  readonly expiresAtMs: number;
}

/**
 * What an impression token says: all that judging, billing and settling the ad's events needs, as it was at the fill.
 * Instants are epoch ms, money is nano-units. Contract: docs/contract/sdk-api.md#impression-token,
 * docs/contract/final-answers.md#judged-by-the-token.
 */
export interface ImpressionClaims {
  readonly requestId: RequestId;
  readonly sessionId: SessionId;
  readonly sessionExpiresAtMs: number;
  readonly appId: AppId;
  readonly publisherId: PublisherId;
  readonly placement: PlacementCode;
  readonly format: AdFormat;
  /** ISO 3166-1 alpha-2 in capitals. Null: not known. */
  readonly country: string | null;
  readonly campaignId: CampaignId;
  readonly creativeId: CreativeId;
  readonly advertiserId: AdvertiserId;
  /**
   * The life of the serving-service process whose budget lease pays for the ad; with the campaign and the minute of the
   * fill it is the lease's key. Empty for test ads and for ads of releases without leases.
   */
  readonly leaseRun: string;
  /** What the advertiser is charged for the impression; 0 for test ads. */
  readonly costNanos: bigint;
  /** The publisher's part of it, already rounded down. */
  readonly publisherNanos: bigint;
  readonly bannerRefreshSeconds: number;
  readonly isTest: boolean;
  readonly filledAtMs: number;
  /** The ad may be shown before this instant and not at it. */
  readonly expiresAtMs: number;
}
