import { makeCatalog } from '@placard/service-kit/catalog-reader';
import {
  testAdvertiser,
  testApp,
  testCampaign,
  testCreative,
  testPlacement,
  testPublisher,
} from '@placard/service-kit/testing';
import {
  asAppKey,
  asCampaignId,
  asPlacementCode,
  type Advertiser,
  type App,
  type Campaign,
  type CampaignId,
  type CatalogDelta,
  type CatalogObjects,
  type CatalogReader,
  type Creative,
  type Placement,
  type Publisher,
} from '@placard/service-kit/pure';
import { refiningTexts, type AdRequest } from '../../src/domain/ad-request.js';

/** 2026-05-01T12:00:00Z. */
export const NOON = Date.UTC(2026, 4, 1, 12);
export const APP_KEY = asAppKey('app_0123456789abcdefghijABCD');
export const AD_TTL_MS = 1_800_000;

/**
 * An approved publisher. Like the following objects it works by default, and a test changes only the fields that it
 * needs.
 */
export function aPublisher(changes: Partial<Publisher> = {}): Publisher {
  return testPublisher(changes);
}

/** An approved app of that publisher. */
export function anApp(changes: Partial<App> = {}): App {
  return testApp({ id: 'app_puzzle', ...changes });
}

/** An open banner placement without a cap. */
export function aPlacement(changes: Partial<Placement> = {}): Placement {
  return testPlacement({ appId: 'app_puzzle', code: 'home_banner', partnerAdUnitId: null, ...changes });
}

/** An approved advertiser with large funds. */
export function anAdvertiser(changes: Partial<Advertiser> = {}): Advertiser {
  return testAdvertiser({ id: 'adv_north', fundedNanos: 1_000_000_000_000n, ...changes });
}

/** An active campaign that targets everything and has no budget of its own. */
export function aCampaign(changes: Partial<Campaign> = {}): Campaign {
  return testCampaign({ advertiserId: 'adv_north', ...changes });
}

/** An approved image for the campaign. */
export function aCreative(changes: Partial<Creative> = {}): Creative {
  const campaignId = changes.campaignId ?? asCampaignId('cmp_spring');
  const format = changes.format ?? 'banner';
  return testCreative({
    id: `cr_${campaignId.slice(4)}_${format}`,
    campaignId,
    format,
    url: 'https://cdn.example.com/ad.png',
    clickUrl: 'https://shop.example.com/',
    ...changes,
  });
}

/** One object of every kind by default. Each campaign gets a banner unless there are creatives. */
export function catalogObjects(changes: Partial<CatalogObjects> = {}): Partial<CatalogObjects> {
  const campaigns = changes.campaigns ?? [aCampaign()];
  return {
    global: { isServingEnabled: true },
    publishers: [aPublisher()],
    apps: [anApp()],
    placements: [aPlacement()],
    advertisers: [anAdvertiser()],
    creatives: campaigns.map(({ id }) => aCreative({ campaignId: id })),
    ...changes,
    campaigns,
  };
}

/** A catalog of {@link catalogObjects}. */
export function aCatalog(changes: Partial<CatalogObjects> = {}): CatalogReader {
  return makeCatalog(catalogObjects(changes));
}

/** A change of these campaigns only. */
export function deltaOf(changed: readonly CampaignId[]): CatalogDelta {
  const none = { changed: [], removed: [] };
  return {
    version: 2,
    isGlobalChanged: false,
    publishers: none,
    apps: none,
    placements: none,
    advertisers: none,
    creatives: none,
    campaigns: { changed: [...changed], removed: [] },
  };
}

/** A request for the placement without data of the device. */
export function anAdRequest(): AdRequest {
  return {
    appKey: APP_KEY,
    placement: asPlacementCode('home_banner'),
    format: 'banner',
    ...refiningTexts({}),
    screenWidth: null,
    screenHeight: null,
    isTestMode: false,
    isNoFillForced: false,
    appVersion: null,
    sdkVersion: null,
    publicBaseUrl: 'https://ads.example.com',
  };
}
