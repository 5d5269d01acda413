import type {
  AdFormat,
  App,
  AppKey,
  FallbackProvider,
  NoFillReason,
  Placement,
  PlacementCode,
  Publisher,
} from '@placard/service-kit/pure';

export type { NoFillReason };

/** A client asks for one placement once. Contract: docs/contract/sdk-api.md#post-adsrequest. */
export interface AdRequest {
  readonly appKey: AppKey;
  readonly placement: PlacementCode;
  readonly format: AdFormat;
  /** As sent; null: absent. */
  readonly language: string | null;
  /** As sent; null: absent. */
  readonly androidVersion: string | null;
  /** Pixels; null or 0: not given. */
  readonly screenWidth: number | null;
  readonly screenHeight: number | null;
  readonly isTestMode: boolean;
  readonly isNoFillForced: boolean;
  /** ISO 3166-1 alpha-2 in capitals; null: unknown. */
  readonly country: string | null;
  /** Where the client reached the gateway, without a trailing slash; the test creatives' URLs start with it. */
  readonly publicBaseUrl: string;
}

/** An answer without an ad. */
export interface NoFill {
  readonly reason: NoFillReason;
  /** The placement's provider. */
  readonly fallback: FallbackProvider;
}

/** The slot that a request has reached: all that the catalog says of it. */
export interface Slot {
  readonly publisher: Publisher;
  readonly app: App;
  readonly placement: Placement;
  /** A test session, or test mode in a live one: only test ads, never counted, never billed. */
  readonly isTest: boolean;
}

/** When a fill is made and over, epoch ms. */
export interface FillTime {
  readonly filledAtMs: number;
  readonly expiresAtMs: number;
}
