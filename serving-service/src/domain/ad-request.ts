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

/**
 * The texts of a request that only refine the choice of an ad, as `RequestAdRequest` names them. `country` is ISO 3166-1
 * alpha-2 in capitals, the others are as the client sends them.
 */
export const REFINING_TEXTS = ['language', 'androidVersion', 'country'] as const;
/** The name of such a text. */
export type RefiningText = (typeof REFINING_TEXTS)[number];
/** Such texts of a request; null: absent. */
export type RefiningTexts = { readonly [Name in RefiningText]: string | null };

/** The refining texts of a request; what is not given is absent. */
export function refiningTexts(given: {
  readonly [Name in RefiningText]?: string | null | undefined;
}): RefiningTexts {
  return Object.fromEntries(REFINING_TEXTS.map((name) => [name, given[name] ?? null])) as RefiningTexts;
}

/** A client asks for one placement once. Contract: docs/contract/sdk-api.md#post-adsrequest. */
export interface AdRequest extends RefiningTexts {
  readonly appKey: AppKey;
  readonly placement: PlacementCode;
  readonly format: AdFormat;
  /** Pixels; null or 0: not given. */
  readonly screenWidth: number | null;
  readonly screenHeight: number | null;
  readonly isTestMode: boolean;
  readonly isNoFillForced: boolean;
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
