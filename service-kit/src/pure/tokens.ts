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

/** The content of a session token. Instants are epoch ms. Contract: docs/contract/sdk-api.md#session-token. */
export interface SessionClaims {
  readonly sessionId: SessionId;
  readonly appId: AppId;
  /** The package name of the app when the session started. */
  readonly packageName: string;
  readonly isTest: boolean;
  readonly issuedAtMs: number;
  /** Expiry, excluded: the token is valid before this instant. */
  readonly expiresAtMs: number;
}

/**
 * The content of an impression token: all data, as of the fill, for judging, billing and settling the events of the ad.
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
  /** ISO 3166-1 alpha-2 in capitals. Null: unknown. */
  readonly country: string | null;
  readonly campaignId: CampaignId;
  readonly creativeId: CreativeId;
  readonly advertiserId: AdvertiserId;
  /**
   * The replica run of serving-service whose lease pays for the ad. With the campaign and the minute of the fill it is
   * the key of the lease. Empty for test ads and for ads of releases without leases.
   */
  readonly leaseRun: string;
  /** The price that the advertiser pays for the impression; 0 for test ads. */
  readonly costNanos: bigint;
  /** The publisher's part of the price, already rounded down. */
  readonly publisherNanos: bigint;
  readonly bannerRefreshSeconds: number;
  readonly isTest: boolean;
  readonly filledAtMs: number;
  /** W3C `traceparent` of the ad request, so that the traces of its events can link to it. Null: it is not traced. */
  readonly traceparent: string | null;
  /** Expiry, excluded: the ad may be shown before this instant. */
  readonly expiresAtMs: number;
}
