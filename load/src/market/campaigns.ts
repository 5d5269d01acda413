import { parseAmount, type Nanos } from '@placard/service-kit/pure';
import type { Chance } from '../chance.js';
import { CATEGORIES, COUNTRIES, FORMATS, LANGUAGES, type Format } from './vocabulary.js';

/** A creative in the catalog file. */
export interface CreativeEntry {
  readonly id: string;
  readonly format: Format;
  readonly type: 'image' | 'video';
  readonly url: string;
  readonly click_url: string;
  readonly width: number;
  readonly height: number;
  readonly duration_seconds: number | null;
  readonly approved: true;
}

/** A campaign in the catalog file; amounts in the account currency. */
export interface CampaignEntry {
  readonly id: string;
  readonly name: string;
  readonly bid_cpm: string;
  readonly budget_total: string | null;
  readonly budget_daily: string | null;
  readonly pacing: 'even' | 'asap';
  readonly countries: readonly string[];
  readonly targeting: Readonly<Record<string, readonly (string | number)[]>>;
  readonly frequency_cap: { readonly count: number; readonly period: string } | null;
  readonly creatives: readonly CreativeEntry[];
}

/** An advertiser in the catalog file. */
export interface AdvertiserEntry {
  readonly id: string;
  readonly name: string;
  readonly approved: true;
  readonly balance: number;
  readonly campaigns: readonly CampaignEntry[];
}

/** One in this many campaigns has no targeting and no limit. */
const OPEN_EVERY = 10;
const ANDROID_VERSIONS = [8, 9, 10, 11, 12, 13, 14, 15, 16] as const;
/** Bids are whole cents, like those of people, so that some are equal. */
const BID_MICROS_STEP = 10_000;
const BID_STEPS_MIN = 5;
const BID_STEPS_SPAN = 900;
const SIZES: Readonly<Record<Format, readonly (readonly [width: number, height: number])[]>> = {
  banner: [
    [320, 50],
    [300, 250],
    [728, 90],
  ],
  interstitial: [
    [1080, 1920],
    [1920, 1080],
  ],
  rewarded: [[1080, 1920]],
};

/** The campaign of that number. There are many low bids and few high ones. */
export function campaignEntry(index: number, appIds: readonly string[], chance: Chance): CampaignEntry {
  const isOpen = index % OPEN_EVERY === 0;
  const micros = BID_MICROS_STEP * (BID_STEPS_MIN + Math.floor(BID_STEPS_SPAN * chance.next() ** 2));
  const id = `cmp_load_${index}`;
  const formats = isOpen || chance.isHit(0.5) ? FORMATS : chance.some(FORMATS, 1 + chance.below(2));
  const limits = isOpen ? UNLIMITED : limitsOf(micros, chance);
  return {
    id,
    name: `Campaign ${index}`,
    bid_cpm: (micros / 1_000_000).toFixed(2),
    ...limits,
    countries: isOpen || chance.isHit(0.3) ? [] : chance.some(COUNTRIES, 1 + chance.below(4)),
    targeting: isOpen ? {} : targetingOf(appIds, chance),
    creatives: formats.flatMap((format) => creativesOf(index, format, isOpen)),
  };
}

const UNLIMITED = { budget_total: null, budget_daily: null, pacing: 'asap', frequency_cap: null } as const;

function limitsOf(
  micros: number,
  chance: Chance,
): Pick<CampaignEntry, 'budget_total' | 'budget_daily' | 'pacing' | 'frequency_cap'> {
  const amount = (impressions: number): string => ((micros / 1_000_000_000) * impressions).toFixed(6);
  return {
    budget_total: chance.isHit(0.5) ? amount(50_000 + chance.below(500_000)) : null,
    budget_daily: chance.isHit(0.4) ? amount(5_000 + chance.below(50_000)) : null,
    pacing: chance.isHit(0.6) ? 'even' : 'asap',
    frequency_cap: chance.isHit(0.4)
      ? { count: 1 + chance.below(6), period: chance.pick(['session', 'hour', 'day']) }
      : null,
  };
}

function targetingOf(appIds: readonly string[], chance: Chance): CampaignEntry['targeting'] {
  return {
    languages: chance.isHit(0.3) ? chance.some(LANGUAGES, 1 + chance.below(2)) : [],
    app_categories: chance.isHit(0.2) ? chance.some(CATEGORIES, 1 + chance.below(2)) : [],
    app_ids: chance.isHit(0.1) ? chance.some(appIds, 1 + chance.below(8)) : [],
    android_versions: chance.isHit(0.15) ? ANDROID_VERSIONS.slice(chance.below(6)) : [],
  };
}

function creativesOf(index: number, format: Format, isOpen: boolean): readonly CreativeEntry[] {
  const sizes = isOpen ? SIZES[format] : SIZES[format].slice(0, 1 + (index % 2));
  const isVideo = format === 'rewarded';
  return sizes.map(([width, height], at) => {
    const id = `cr_load_${index}_${format}_${at}`;
    return {
      id,
      format,
      type: isVideo ? 'video' : 'image',
      url: `https://cdn.example.com/${id}.${isVideo ? 'mp4' : 'png'}`,
      click_url: `https://shop.example.com/${id}`,
      width,
      height,
      duration_seconds: isVideo ? 12.5 : null,
      approved: true,
    };
  });
}

const MICROS_DECIMALS = 6;
const NANOS_PER_MICRO = 1_000n;

/** The cost of one impression in nano-units is the bid in micro-units. Contract: docs/contract/money.md#unit. */
export function costOf({ bid_cpm: bid }: Pick<CampaignEntry, 'bid_cpm'>): Nanos {
  return (parseAmount(bid, MICROS_DECIMALS) ?? 0n) / NANOS_PER_MICRO;
}
