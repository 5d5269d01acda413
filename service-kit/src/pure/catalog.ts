import type {
  AdvertiserId,
  AppId,
  AppKey,
  CampaignId,
  CreativeId,
  PlacementCode,
  PublisherId,
} from './ids.js';

/** Every ad format, in the order of the contract. */
export const AD_FORMATS = ['banner', 'interstitial', 'rewarded'] as const;
/** What a placement shows. Contract: docs/contract/sdk-api.md#ad-formats. */
export type AdFormat = (typeof AD_FORMATS)[number];

/** Every fallback provider. */
export const FALLBACK_PROVIDERS = ['partner', 'none'] as const;
/** What the client falls back to when there is no fill. Contract: docs/contract/sdk-api.md#placement-config. */
export type FallbackProvider = (typeof FALLBACK_PROVIDERS)[number];

/** Every period of a cap. */
export const CAP_PERIODS = ['session', 'hour', 'day'] as const;
/** How long a fill counts for a cap; `hour` and `day` roll. Contract: docs/contract/selection.md#frequency-cap. */
export type CapPeriod = (typeof CAP_PERIODS)[number];

/** Every status of a campaign. */
export const CAMPAIGN_STATUSES = ['active', 'paused', 'ended'] as const;
/** Whether the advertiser wants the campaign served; only `active` is. */
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** Every way to spend a daily budget. */
export const PACINGS = ['even', 'asap'] as const;
/** How a daily budget is spread over the UTC day. Contract: docs/contract/selection.md#pacing. */
export type Pacing = (typeof PACINGS)[number];

/** Every type of creative. */
export const CREATIVE_TYPES = ['image', 'video'] as const;
/** `image` is PNG, JPEG, WebP or GIF; `video` is MP4 (H.264). Contract: docs/contract/sdk-api.md#ad. */
export type CreativeType = (typeof CREATIVE_TYPES)[number];

/** At most `count` (>= 1) fills of one session per period. */
export interface FrequencyCap {
  readonly count: number;
  readonly period: CapPeriod;
}

/** What holds for the whole installation. */
export interface Global {
  /** False: the global kill switch is thrown. */
  readonly isServingEnabled: boolean;
}

/** Who sells ad space. */
export interface Publisher {
  readonly id: PublisherId;
  readonly isApproved: boolean;
  /** False: the publisher's kill switch is thrown. */
  readonly isServingEnabled: boolean;
  /** The publisher's part of an impression's cost in basis points, 0..10000. */
  readonly revenueShareBp: number;
}

/** A mobile app of a publisher. */
export interface App {
  readonly id: AppId;
  readonly publisherId: PublisherId;
  /** The public key that clients send; unique among apps. */
  readonly appKey: AppKey;
  /** Android application id, compared exactly. */
  readonly packageName: string;
  readonly isApproved: boolean;
  readonly isBlocked: boolean;
  /** False: the app's kill switch is thrown. */
  readonly isServingEnabled: boolean;
  readonly isFallbackEnabled: boolean;
  /** Content language of requests that name none: a primary subtag in small letters. */
  readonly language: string;
  /** Null: no category, so that campaigns which target categories skip the app. */
  readonly category: string | null;
  /** 100..5000. */
  readonly requestTimeoutMs: number;
  readonly configTtlSeconds: number;
}

/** A slot in an app. */
export interface Placement {
  readonly appId: AppId;
  /** Unique within its app. */
  readonly code: PlacementCode;
  readonly format: AdFormat;
  readonly isPaused: boolean;
  readonly isEnabled: boolean;
  readonly isDisabledByAdmin: boolean;
  readonly fallbackProvider: FallbackProvider;
  /** Null: the publisher has no unit at the third-party network. */
  readonly partnerAdUnitId: string | null;
  /** 100..5000. */
  readonly requestTimeoutMs: number;
  /** Null: no cap. */
  readonly frequencyCap: FrequencyCap | null;
  /** At least 30. */
  readonly bannerRefreshSeconds: number;
}

/** Who buys ad space. */
export interface Advertiser {
  readonly id: AdvertiserId;
  readonly isApproved: boolean;
  /** Everything ever paid in, in nano-units: the limit of what it may spend over its whole life. */
  readonly fundedNanos: bigint;
}

/**
 * What an advertiser wants shown. In its lists, empty means any. Contract: docs/contract/selection.md#selection-order.
 */
export interface Campaign {
  readonly id: CampaignId;
  readonly advertiserId: AdvertiserId;
  readonly status: CampaignStatus;
  /** Cost of one impression in nano-units: the CPM bid in micro-units, which is the same number. */
  readonly costNanos: bigint;
  /** Epoch ms, included. Null: from ever. */
  readonly startsAtMs: number | null;
  /** Epoch ms, excluded. Null: for ever. */
  readonly endsAtMs: number | null;
  /** Null: no limit but the advertiser's balance. */
  readonly budgetTotalNanos: bigint | null;
  /** Per UTC day. Null: no daily limit and no pacing. */
  readonly budgetDailyNanos: bigint | null;
  readonly pacing: Pacing;
  /** ISO 3166-1 alpha-2 in capitals. */
  readonly countries: readonly string[];
  readonly formats: readonly AdFormat[];
  /** Primary subtags in small letters. */
  readonly languages: readonly string[];
  readonly appIds: readonly AppId[];
  readonly appCategories: readonly string[];
  /** Major versions. */
  readonly androidVersions: readonly number[];
  /** Null: no cap. */
  readonly frequencyCap: FrequencyCap | null;
}

/** What is shown for a campaign. */
export interface Creative {
  readonly id: CreativeId;
  readonly campaignId: CampaignId;
  readonly format: AdFormat;
  readonly type: CreativeType;
  readonly url: string;
  readonly clickUrl: string;
  /** Pixels. Null: not known, as with `height`. */
  readonly width: number | null;
  readonly height: number | null;
  /** Length of a video; null for images. */
  readonly durationSeconds: number | null;
  readonly isApproved: boolean;
}

/** Every kind of catalog object in the order in which parents come before children. */
export const CATALOG_KINDS = ['publisher', 'app', 'placement', 'advertiser', 'campaign', 'creative'] as const;

/** A kind of catalog object that is held by id. */
export type CatalogKind = (typeof CATALOG_KINDS)[number];

/** Plain domain objects that make up a catalog. */
export interface CatalogObjects {
  readonly global: Global;
  readonly publishers: readonly Publisher[];
  readonly apps: readonly App[];
  readonly placements: readonly Placement[];
  readonly advertisers: readonly Advertiser[];
  readonly campaigns: readonly Campaign[];
  readonly creatives: readonly Creative[];
}

/**
 * The catalog in memory at one version. Every look-up costs the same whatever the number of objects; what is unknown
 * is `undefined`. Objects are never changed in place: another version holds other objects, so that an object may be kept
 * and compared by identity.
 */
export interface CatalogReader {
  /** Version of the last change that is applied; 0 before the first load. Grows with every change. */
  readonly version: number;
  readonly global: Global;
  publisher(id: PublisherId): Publisher | undefined;
  app(id: AppId): App | undefined;
  appByKey(key: AppKey): App | undefined;
  placement(appId: AppId, code: PlacementCode): Placement | undefined;
  /** The app's placements ordered by code; empty for an unknown app. */
  placementsOf(appId: AppId): readonly Placement[];
  advertiser(id: AdvertiserId): Advertiser | undefined;
  campaign(id: CampaignId): Campaign | undefined;
  /** Every campaign of whatever status, in no particular order. */
  campaigns(): Iterable<Campaign>;
  creative(id: CreativeId): Creative | undefined;
  /** The campaign's creatives ordered by id, not approved ones too; empty for an unknown campaign. */
  creativesOf(campaignId: CampaignId): readonly Creative[];
}

/** Ids of one kind that differ between two versions of the catalog. An id is in one of the lists at most, and once. */
export interface KindDelta<Id> {
  /** New objects and those that differ. */
  readonly changed: readonly Id[];
  readonly removed: readonly Id[];
}

/** A placement's name in a delta. */
export interface PlacementKey {
  readonly appId: AppId;
  readonly code: PlacementCode;
}

/** What differs between the version that a listener has seen last and the one that is now in force. */
export interface CatalogDelta {
  readonly version: number;
  readonly isGlobalChanged: boolean;
  readonly publishers: KindDelta<PublisherId>;
  readonly apps: KindDelta<AppId>;
  readonly placements: KindDelta<PlacementKey>;
  readonly advertisers: KindDelta<AdvertiserId>;
  readonly campaigns: KindDelta<CampaignId>;
  readonly creatives: KindDelta<CreativeId>;
}
