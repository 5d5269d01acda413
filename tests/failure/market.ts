import { CODE_OF, creative, FORMATS, freshAppKey, threePlacements } from '../driver/catalog.js';
import type { AdvertiserEntry, AppEntry, CampaignEntry, CatalogEntry } from '../driver/catalog.js';
import type { CampaignTerms, Terms } from './comparison.js';

/** The catalog of a run and its terms. */
export interface Market {
  readonly apps: readonly AppEntry[];
  readonly file: CatalogEntry;
  /** The limits and shares. The funds grow with each deposit. */
  readonly terms: Terms & { readonly funds: Map<string, bigint> };
}

/** The advertiser that gets deposits during the run. */
export const TOPPED_UP = 'adv_topped';

/** The campaign whose total budget is lowered and raised during the run. */
export const CHANGED = { advertiserId: 'adv_changed', campaignId: 'cmp_changed' } as const;

interface Limits {
  /** Total budget in impressions; null: none. */
  readonly total: number | null;
  readonly daily: number | null;
}

interface Wish extends Limits {
  readonly advertiserId: string;
  readonly campaignId: string;
}

const SHARES = ['0.7', '0.3333', '1'] as const;
const APPS_PER_PUBLISHER = 2;
/** Highest bid, in micro-units. Each further campaign bids a little less, so that they are used up one after the other. */
const BID_MICROS_MAX = 9_876_543n;
const BID_STEP_MICROS = 123_457n;
const SIBLINGS = 5;

/**
 * A catalog whose limits are reached all the time: campaigns of a few impressions with a total budget, with a daily budget,
 * and siblings that share a small balance. The lowest bid has no limit. `scale` 1 suits a minute of traffic.
 */
export function makeMarket(scale: number): Market {
  const terms = {
    campaigns: new Map<string, CampaignTerms>(),
    funds: new Map<string, bigint>(),
    apps: new Map(),
  };
  const advertisers = new Map<string, AdvertiserEntry>();
  for (const [rank, wish] of wishes(scale).entries()) {
    const costNanos = BID_MICROS_MAX - BigInt(rank) * BID_STEP_MICROS;
    const limit = (impressions: number | null): bigint | null =>
      impressions === null ? null : costNanos * BigInt(impressions) + costNanos / 3n;
    const [totalNanos, dailyNanos] = [limit(wish.total), limit(wish.daily)];
    const { campaignId, advertiserId } = wish;
    terms.campaigns.set(campaignId, { advertiserId, costNanos, totalNanos, dailyNanos });
    const advertiser = advertisers.get(advertiserId) ?? newAdvertiser(advertiserId, scale);
    advertiser.campaigns.push(campaignEntry(wish, { costNanos, totalNanos, dailyNanos }));
    advertisers.set(advertiserId, advertiser);
  }
  for (const { id, balance } of advertisers.values()) terms.funds.set(id, fromAmount(String(balance)));
  const publishers = SHARES.map((share, index) => publisherEntry(share, index));
  for (const publisher of publishers) {
    const shareBp = BigInt(Math.round(Number(publisher.revenue_share) * 10_000));
    for (const app of publisher.apps) terms.apps.set(app.id, { publisherId: publisher.id, shareBp });
  }
  return {
    apps: publishers.flatMap(({ apps }) => apps),
    file: { publishers, advertisers: [...advertisers.values()] },
    terms,
  };
}

/** The catalog that gives the changed campaign this percentage of its total budget; 100: the original catalog. */
export function withTotal({ file, terms }: Market, percent: bigint): CatalogEntry {
  const total = terms.campaigns.get(CHANGED.campaignId)?.totalNanos ?? 0n;
  const advertisers = (file.advertisers ?? [])
    .filter(({ id }) => id === CHANGED.advertiserId)
    .map((advertiser) => ({
      ...advertiser,
      campaigns: advertiser.campaigns.map((campaign) => ({
        ...campaign,
        budget_total: toAmount((total * percent) / 100n),
      })),
    }));
  return { advertisers };
}

/** The campaigns in the order of their bids, mixed so that every kind of limit is reached early and late. */
function wishes(scale: number): readonly Wish[] {
  const rounds = Array.from({ length: SIBLINGS }, (_, index): readonly Wish[] => {
    const impressions = Math.ceil((4 + 4 * index) * scale);
    return [
      { advertiserId: 'adv_total', campaignId: `cmp_total_${index}`, total: impressions, daily: null },
      { advertiserId: 'adv_daily', campaignId: `cmp_daily_${index}`, total: null, daily: impressions },
      { advertiserId: 'adv_shared', campaignId: `cmp_shared_${index}`, total: null, daily: null },
      { advertiserId: `adv_alone_${index}`, campaignId: `cmp_alone_${index}`, total: null, daily: null },
    ];
  });
  return [
    ...rounds.slice(0, 1).flat(),
    { ...CHANGED, total: Math.ceil(20 * scale), daily: null },
    ...rounds.slice(1).flat(),
    { advertiserId: TOPPED_UP, campaignId: 'cmp_topped', total: null, daily: null },
    { advertiserId: 'adv_endless', campaignId: 'cmp_endless', total: null, daily: null },
  ];
}

/** An advertiser whose balance is not a multiple of any price. */
function newAdvertiser(id: string, scale: number): AdvertiserEntry {
  const rich = ['adv_total', 'adv_daily', 'adv_endless', CHANGED.advertiserId].includes(id);
  const cents = rich ? 100_000_000 : Math.ceil((id === 'adv_shared' ? 45 : 15) * scale);
  return { id, name: id, approved: true, balance: `${(cents / 100).toFixed(2)}0000001`, campaigns: [] };
}

function campaignEntry(
  { campaignId }: Wish,
  money: {
    readonly costNanos: bigint;
    readonly totalNanos: bigint | null;
    readonly dailyNanos: bigint | null;
  },
): CampaignEntry {
  const amount = (nanos: bigint | null): string | null => (nanos === null ? null : toAmount(nanos));
  return {
    id: campaignId,
    name: campaignId,
    bid_cpm: toAmount(money.costNanos * 1_000n).replace(/0{3}$/, ''),
    budget_total: amount(money.totalNanos),
    budget_daily: amount(money.dailyNanos),
    pacing: 'asap',
    creatives: FORMATS.map((format) => creative(campaignId.replace('cmp_', `cr_${format}_`), format)),
  };
}

function publisherEntry(share: string, index: number) {
  const apps = Array.from({ length: APPS_PER_PUBLISHER }, (_, at): AppEntry => {
    const id = `app_${index}_${at}`;
    return {
      id,
      app_key: freshAppKey(),
      package_name: `com.example.app${index}${at}`,
      name: id,
      approved: true,
      placements: threePlacements(),
    };
  });
  return { id: `pub_${index}`, name: `Publisher ${index}`, approved: true, revenue_share: share, apps };
}

/** Nano-units as a decimal amount for the catalog file and the command. */
export function toAmount(nanos: bigint): string {
  return `${(nanos / 1_000_000_000n).toString()}.${(nanos % 1_000_000_000n).toString().padStart(9, '0')}`;
}

/** Reads an amount of `toAmount`, or one with fewer decimals, as nano-units. */
export function fromAmount(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
}

/** The placements that every app has. */
export const PLACEMENTS = FORMATS.map((format) => ({ code: CODE_OF[format], format }));
