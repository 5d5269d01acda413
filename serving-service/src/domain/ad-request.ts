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
 * Texts of a request that only refine the choice of an ad, by their names in `RequestAdRequest`. `country` is ISO
 * 3166-1 alpha-2 in capitals; the others are as the client sent them.
 */
export const REFINING_TEXTS = ['language', 'androidVersion', 'country'] as const;
/** The name of a refining text. */
export type RefiningText = (typeof REFINING_TEXTS)[number];
/** The refining texts of a request. Null: absent. */
export type RefiningTexts = { readonly [Name in RefiningText]: string | null };

/** The refining texts of a request. A missing text is absent (null). */
export function refiningTexts(given: {
  readonly [Name in RefiningText]?: string | null | undefined;
}): RefiningTexts {
  return Object.fromEntries(REFINING_TEXTS.map((name) => [name, given[name] ?? null])) as RefiningTexts;
}

/** One request of a client for an ad for one placement. Contract: docs/contract/sdk-api.md#post-adsrequest. */
export interface AdRequest extends RefiningTexts {
  readonly appKey: AppKey;
  readonly placement: PlacementCode;
  readonly format: AdFormat;
  /** Pixels; null or 0: not given. */
  readonly screenWidth: number | null;
  readonly screenHeight: number | null;
  readonly isTestMode: boolean;
  readonly isNoFillForced: boolean;
  /** As the client sent them, for reports only. Null: absent. */
  readonly appVersion: string | null;
  readonly sdkVersion: string | null;
  /**
   * The address under which the client reached the gateway, without a trailing slash. URLs of the product's own files
   * start with it.
   */
  readonly publicBaseUrl: string;
}

/** A no-fill. */
export interface NoFill {
  readonly reason: NoFillReason;
  /** The fallback provider of the placement. */
  readonly fallback: FallbackProvider;
}

/** The catalog objects of a request. */
export interface Slot {
  readonly publisher: Publisher;
  readonly app: App;
  readonly placement: Placement;
  /**
   * True in a test session, or with test mode in a live session. Then there are only test ads, which are never counted
   * or billed.
   */
  readonly isTest: boolean;
}

/** The instants of a fill and of its expiry, epoch ms. */
export interface FillTime {
  readonly filledAtMs: number;
  readonly expiresAtMs: number;
}
