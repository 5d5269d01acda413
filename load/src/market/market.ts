import { createHash } from 'node:crypto';
import { makeChance, type Chance } from '../chance.js';
import { campaignEntry, type AdvertiserEntry } from './campaigns.js';
import { CATEGORIES, LANGUAGES, type Format } from './vocabulary.js';

/** A placement in the catalog file. */
export interface PlacementEntry {
  readonly code: string;
  readonly format: Format;
  readonly fallback_provider: string;
  readonly banner_refresh_seconds?: number;
  readonly paused?: boolean;
  readonly enabled?: boolean;
  readonly disabled_by_admin?: boolean;
}

/** An app in the catalog file. */
export interface AppEntry {
  readonly id: string;
  readonly app_key: string;
  readonly package_name: string;
  readonly name: string;
  readonly approved: boolean;
  readonly blocked?: boolean;
  readonly serving_enabled?: boolean;
  readonly language: string;
  readonly category: string;
  readonly placements: readonly PlacementEntry[];
}

/** A publisher in the catalog file, with its apps; the share is 0..1. */
export interface PublisherEntry {
  readonly id: string;
  readonly name: string;
  readonly approved: boolean;
  readonly serving_enabled?: boolean;
  readonly revenue_share: number;
  readonly apps: readonly AppEntry[];
}

/** A generated catalog file. */
export interface Market {
  readonly publishers: readonly PublisherEntry[];
  readonly advertisers: readonly AdvertiserEntry[];
}

/** Number of apps: enough that 12,500 calls a second stay within the limits per app key. */
const APPS = 250;
const APPS_PER_PUBLISHER = 5;
const CAMPAIGNS_PER_ADVERTISER = 10;
const BALANCE_MAX = 1_000_000;
/** Bound of the sum of balances, below the bound of the books. */
const BALANCES_MAX = 5_000_000_000;

/**
 * Generates a catalog with realistic targeting, the same for the same seed: most campaigns target some countries, many some
 * formats or languages, and some have caps, budgets or pacing. One campaign in ten has no targeting, so that nearly every
 * request is filled.
 */
export function makeMarket(campaignCount: number, seed = 1): Market {
  const chance = makeChance(seed);
  const publishers = Array.from({ length: APPS / APPS_PER_PUBLISHER }, (_, index) =>
    publisherOf(index, chance),
  );
  const appIds = publishers.flatMap(({ apps }) => apps.map(({ id }) => id));
  const advertiserCount = Math.ceil(campaignCount / CAMPAIGNS_PER_ADVERTISER);
  const balance = Math.min(BALANCE_MAX, Math.floor(BALANCES_MAX / advertiserCount));
  const advertisers = Array.from({ length: advertiserCount }, (_, index): AdvertiserEntry => {
    const first = index * CAMPAIGNS_PER_ADVERTISER;
    const count = Math.min(CAMPAIGNS_PER_ADVERTISER, campaignCount - first);
    const campaigns = Array.from({ length: count }, (__, at) => campaignEntry(first + at, appIds, chance));
    return {
      id: `adv_load_${index}`,
      name: `Advertiser ${index}`,
      approved: true,
      balance,
      campaigns,
    };
  });
  return { publishers, advertisers };
}

function publisherOf(index: number, chance: Chance): PublisherEntry {
  const apps = Array.from({ length: APPS_PER_PUBLISHER }, (_, at) =>
    appEntry(index * APPS_PER_PUBLISHER + at, chance),
  );
  const revenue_share = chance.pick([0.7, 0.65, 0.8, 0.3333]);
  return { id: `pub_load_${index}`, name: `Publisher ${index}`, approved: true, revenue_share, apps };
}

function appEntry(index: number, chance: Chance): AppEntry {
  const key = createHash('sha256').update(`load ${index}`).digest('hex').slice(0, 24);
  return {
    id: `app_load_${index}`,
    app_key: `app_${key}`,
    package_name: `com.example.load${index}`,
    name: `App ${index}`,
    approved: true,
    language: chance.pick(LANGUAGES),
    category: chance.pick(CATEGORIES),
    placements: [
      { code: 'home_banner', format: 'banner', fallback_provider: 'partner', banner_refresh_seconds: 30 },
      { code: 'list_banner', format: 'banner', fallback_provider: 'partner', banner_refresh_seconds: 60 },
      { code: 'level_end', format: 'interstitial', fallback_provider: 'partner' },
      { code: 'extra_life', format: 'rewarded', fallback_provider: 'none' },
    ],
  };
}
