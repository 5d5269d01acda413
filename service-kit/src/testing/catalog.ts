import { makeCatalog } from '../catalog-reader/make-catalog.js';
import { defaultValuesOf } from '../pure/index.js';
import type {
  Advertiser,
  AdvertiserId,
  App,
  AppId,
  AppKey,
  Campaign,
  CampaignId,
  CatalogReader,
  Creative,
  CreativeId,
  Placement,
  PlacementCode,
  Publisher,
  PublisherId,
} from '../pure/index.js';

type AnyId = PublisherId | AppId | AppKey | PlacementCode | AdvertiserId | CampaignId | CreativeId;
type Plain<T> = T extends AnyId ? string : T extends readonly AnyId[] ? readonly string[] : T;

/** Fields with which a test replaces the defaults. Ids may be plain strings. */
export type Overrides<T> = { readonly [Name in keyof T]?: Plain<T[Name]> };

function withOverrides<T extends object>(defaults: Plained<T>, overrides: Overrides<T>): T {
  return { ...defaults, ...overrides } as unknown as T;
}
type Plained<T> = { readonly [Name in keyof T]: Plain<T[Name]> };

/** An approved publisher with a share of 70 %. The objects below refer to each other by their default ids. */
export function testPublisher(overrides: Overrides<Publisher> = {}): Publisher {
  const defaults = {
    ...defaultValuesOf('publisher'),
    id: 'pub_sunrise',
    isApproved: true,
    revenueShareBp: 7000,
  };
  return withOverrides<Publisher>(defaults, overrides);
}

/** An approved app of `pub_sunrise`. */
export function testApp(overrides: Overrides<App> = {}): App {
  const defaults = {
    ...defaultValuesOf('app'),
    id: 'app_sunrise_puzzle',
    publisherId: 'pub_sunrise',
    appKey: 'app_0123456789abcdefghijABCD',
    packageName: 'com.sunrise.puzzle',
    isApproved: true,
    category: 'games',
  };
  return withOverrides<App>(defaults, overrides);
}

/** A banner placement of `app_sunrise_puzzle` without a cap. */
export function testPlacement(overrides: Overrides<Placement> = {}): Placement {
  const defaults = {
    ...defaultValuesOf('placement'),
    appId: 'app_sunrise_puzzle',
    code: 'home_banner',
    format: 'banner',
    fallbackProvider: 'partner',
    partnerAdUnitId: 'ca-app-unit-1',
  } as const;
  return withOverrides<Placement>(defaults, overrides);
}

/** An approved advertiser that has paid in 500. */
export function testAdvertiser(overrides: Overrides<Advertiser> = {}): Advertiser {
  const defaults = { id: 'adv_northwind', isApproved: true, fundedNanos: 500_000_000_000n };
  return withOverrides<Advertiser>(defaults, overrides);
}

/** An active campaign of `adv_northwind` that bids 2.50 CPM, without targeting and without a limit. */
export function testCampaign(overrides: Overrides<Campaign> = {}): Campaign {
  const defaults = {
    ...defaultValuesOf('campaign'),
    id: 'cmp_spring',
    advertiserId: 'adv_northwind',
    costNanos: 2_500_000n,
  };
  return withOverrides<Campaign>(defaults, overrides);
}

/** An approved 320×50 banner of `cmp_spring`. */
export function testCreative(overrides: Overrides<Creative> = {}): Creative {
  const defaults = {
    ...defaultValuesOf('creative'),
    id: 'cr_spring_banner',
    campaignId: 'cmp_spring',
    format: 'banner',
    type: 'image',
    url: 'https://cdn.example.com/spring-320x50.png',
    clickUrl: 'https://shop.example.com/spring',
    width: 320,
    height: 50,
    isApproved: true,
  } as const;
  return withOverrides<Creative>(defaults, overrides);
}

/** A catalog with one default object of each kind. Its placement fills. */
export function makeTestCatalog(): CatalogReader {
  return makeCatalog({
    publishers: [testPublisher()],
    apps: [testApp()],
    placements: [testPlacement()],
    advertisers: [testAdvertiser()],
    campaigns: [testCampaign()],
    creatives: [testCreative()],
  });
}
