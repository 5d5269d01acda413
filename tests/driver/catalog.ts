import { randomBytes } from 'node:crypto';

/** A cap in the catalog file. In all entries here, omitted fields take the documented default. */
export interface CapEntry {
  count: number;
  period: string;
}

/** A slot of an app; timeouts in milliseconds, refresh in seconds. */
export interface PlacementEntry {
  code: string;
  format: string;
  paused?: boolean;
  enabled?: boolean;
  disabled_by_admin?: boolean;
  fallback_provider?: string;
  partner_ad_unit_id?: string | null;
  request_timeout_ms?: number;
  frequency_cap?: CapEntry | null;
  banner_refresh_seconds?: number;
}

/** An app with its placements. */
export interface AppEntry {
  id: string;
  app_key: string;
  package_name: string;
  name: string;
  approved?: boolean;
  blocked?: boolean;
  serving_enabled?: boolean;
  fallback_enabled?: boolean;
  language?: string;
  category?: string | null;
  request_timeout_ms?: number;
  config_ttl_seconds?: number;
  explained?: boolean;
  placements: PlacementEntry[];
}

/** A publisher with its apps; the share is 0..1. */
export interface PublisherEntry {
  id: string;
  name: string;
  approved?: boolean;
  serving_enabled?: boolean;
  revenue_share: number | string;
  apps: AppEntry[];
}

/** A creative; sizes in pixels, duration in seconds, null: none. */
export interface CreativeEntry {
  id: string;
  format: string;
  type: string;
  url: string;
  click_url: string;
  width?: number | null;
  height?: number | null;
  duration_seconds?: number | null;
  approved?: boolean;
}

/** The targeting of a campaign; an empty list means any. */
export interface TargetingEntry {
  formats?: string[];
  languages?: string[];
  app_ids?: string[];
  app_categories?: string[];
  android_versions?: number[];
}

/** A campaign; amounts in the account currency, null: no limit. */
export interface CampaignEntry {
  id: string;
  name: string;
  status?: string;
  bid_cpm: number | string;
  starts_at?: string | null;
  ends_at?: string | null;
  budget_total?: number | string | null;
  budget_daily?: number | string | null;
  pacing?: string;
  countries?: string[];
  targeting?: TargetingEntry;
  frequency_cap?: CapEntry | null;
  creatives: CreativeEntry[];
}

/** An advertiser with its opening balance. */
export interface AdvertiserEntry {
  id: string;
  name: string;
  approved?: boolean;
  balance?: number | string;
  campaigns: CampaignEntry[];
}

/** A whole catalog file. */
export interface CatalogEntry {
  global?: { serving_enabled: boolean };
  publishers?: PublisherEntry[];
  advertisers?: AdvertiserEntry[];
}

/** The three placements that every app of the tests has, unless a test says otherwise. */
export function threePlacements(): PlacementEntry[] {
  return [
    { code: 'home_banner', format: 'banner', fallback_provider: 'partner', banner_refresh_seconds: 30 },
    { code: 'level_end', format: 'interstitial', fallback_provider: 'partner' },
    { code: 'extra_life', format: 'rewarded', fallback_provider: 'partner' },
  ];
}

/** The code of the placement for each format, of the three placements. */
export const CODE_OF = { banner: 'home_banner', interstitial: 'level_end', rewarded: 'extra_life' } as const;

/** The ad formats of the contract. */
export type Format = keyof typeof CODE_OF;

/** All ad formats. */
export const FORMATS: readonly Format[] = ['banner', 'interstitial', 'rewarded'];

/** An approved creative of that format, in the size that the format usually has. */
export function creative(id: string, format: Format, over: Partial<CreativeEntry> = {}): CreativeEntry {
  const isVideo = format === 'rewarded';
  const size = format === 'banner' ? { width: 320, height: 50 } : { width: 1080, height: 1920 };
  return {
    id,
    format,
    type: isVideo ? 'video' : 'image',
    url: `https://cdn.example.com/${id}.${isVideo ? 'mp4' : 'png'}`,
    click_url: `https://shop.example.com/${id}`,
    ...size,
    duration_seconds: isVideo ? 12.5 : null,
    approved: true,
    ...over,
  };
}

/** A unique app key: `app_` and 24 alphanumerics. */
export function freshAppKey(): string {
  return `app_${randomBytes(12).toString('hex')}`;
}

/** A unique short word for ids and names. */
export function freshWord(): string {
  return randomBytes(5).toString('hex');
}

/** An app of the demo catalog. */
export const DEMO_APP = {
  id: 'app_sunrise_puzzle',
  app_key: 'app_0123456789abcdefghijABCD',
  package_name: 'com.sunrise.puzzle',
  name: 'Sunrise Puzzle',
  approved: true,
  placements: [],
};
