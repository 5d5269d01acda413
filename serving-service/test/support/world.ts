import { makeCatalog } from '@placard/service-kit';
import {
  asAdvertiserId,
  asAppId,
  asAppKey,
  asCampaignId,
  asCreativeId,
  asPlacementCode,
  asPublisherId,
  type Advertiser,
  type App,
  type Campaign,
  type CatalogObjects,
  type CatalogReader,
  type Creative,
  type Placement,
  type Publisher,
} from '@placard/service-kit/pure';

/** 2026-05-01T12:00:00Z. */
export const NOON = Date.UTC(2026, 4, 1, 12);
export const APP_KEY = asAppKey('app_0123456789abcdefghijABCD');
export const AD_TTL_MS = 1_800_000;

/** An approved publisher; like the following objects a start that works, of which a test changes what it is about. */
export function aPublisher(changes: Partial<Publisher> = {}): Publisher {
  return {
    id: asPublisherId('pub_sunrise'),
    isApproved: true,
    isServingEnabled: true,
    revenueShareBp: 7_000,
    ...changes,
  };
}

/** An approved app of that publisher. */
export function anApp(changes: Partial<App> = {}): App {
  return {
    id: asAppId('app_puzzle'),
    publisherId: asPublisherId('pub_sunrise'),
    appKey: APP_KEY,
    packageName: 'com.sunrise.puzzle',
    isApproved: true,
    isBlocked: false,
    isServingEnabled: true,
    isFallbackEnabled: true,
    language: 'en',
    category: 'games',
    requestTimeoutMs: 1_000,
    configTtlSeconds: 300,
    ...changes,
  };
}

/** An open banner placement without a cap. */
export function aPlacement(changes: Partial<Placement> = {}): Placement {
  return {
    appId: asAppId('app_puzzle'),
    code: asPlacementCode('home_banner'),
    format: 'banner',
    isPaused: false,
    isEnabled: true,
    isDisabledByAdmin: false,
    fallbackProvider: 'partner',
    partnerAdUnitId: null,
    requestTimeoutMs: 1_000,
    frequencyCap: null,
    bannerRefreshSeconds: 30,
    ...changes,
  };
}

/** An approved advertiser with plenty of funds. */
export function anAdvertiser(changes: Partial<Advertiser> = {}): Advertiser {
  return {
    id: asAdvertiserId('adv_north'),
    isApproved: true,
    fundedNanos: 1_000_000_000_000n,
    ...changes,
  };
}

/** An active campaign that targets everything and has no budget of its own. */
export function aCampaign(changes: Partial<Campaign> = {}): Campaign {
  return {
    id: asCampaignId('cmp_spring'),
    advertiserId: asAdvertiserId('adv_north'),
    status: 'active',
    costNanos: 2_500_000n,
    startsAtMs: null,
    endsAtMs: null,
    budgetTotalNanos: null,
    budgetDailyNanos: null,
    pacing: 'even',
    countries: [],
    formats: [],
    languages: [],
    appIds: [],
    appCategories: [],
    androidVersions: [],
    frequencyCap: null,
    ...changes,
  };
}

/** An approved image for the campaign. */
export function aCreative(changes: Partial<Creative> = {}): Creative {
  const campaignId = changes.campaignId ?? asCampaignId('cmp_spring');
  const format = changes.format ?? 'banner';
  return {
    id: asCreativeId(`cr_${campaignId.slice(4)}_${format}`),
    campaignId,
    format,
    type: 'image',
    url: 'https://cdn.example.com/ad.png',
    clickUrl: 'https://shop.example.com/',
    width: 320,
    height: 50,
    durationSeconds: null,
    isApproved: true,
    ...changes,
  };
}

/** A catalog with one of everything where nothing else is said; each campaign gets a banner unless it has creatives. */
export function aCatalog(changes: Partial<CatalogObjects> = {}): CatalogReader {
  const campaigns = changes.campaigns ?? [aCampaign()];
  return makeCatalog({
    global: { isServingEnabled: true },
    publishers: [aPublisher()],
    apps: [anApp()],
    placements: [aPlacement()],
    advertisers: [anAdvertiser()],
    creatives: campaigns.map(({ id }) => aCreative({ campaignId: id })),
    ...changes,
    campaigns,
  });
}
