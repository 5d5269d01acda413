import {
  DAY_MS,
  HOUR_MS,
  dayOf,
  type AdvertiserId,
  type App,
  type CampaignId,
  type CatalogReader,
  type Clock,
} from '@placard/service-kit/pure';
import type { Delivery, HourRange } from '../clients/delivery.js';
import type { FetchLosses } from '../clients/losses.js';
import type { Concern } from '../domain/concern.js';
import { NO_COUNTS, type DayCounts, type DeliveryFacts } from '../domain/delivery.js';
import { judgeApps, USUAL_REQUESTS_MIN } from '../domain/judge-apps.js';
import { isLive, judgeCampaigns } from '../domain/judge-campaigns.js';
import { explainReach } from './explain-reach.js';

/** The catalog in force, and its apps, which the catalog cannot list. */
export interface HealthCatalog {
  readonly catalog: CatalogReader;
  readonly apps: readonly App[];
}

/** The concerns about delivery at one instant (epoch ms), in no particular order. */
export interface FoundConcerns {
  readonly asOfMs: number;
  readonly concerns: readonly Concern[];
}

/** Finds every concern. Errors: `unavailable`, `deadline_exceeded`. */
export type FindConcerns = () => Promise<FoundConcerns>;

/** What {@link makeFindConcerns} needs. */
export interface FindConcernsDeps {
  readonly delivery: Delivery;
  readonly fetchLosses: FetchLosses;
  readonly readCatalog: () => HealthCatalog;
  /** When campaigns last became active, epoch ms. Error `unavailable`. */
  readonly readActiveSince: (ids: readonly CampaignId[]) => Promise<ReadonlyMap<CampaignId, number>>;
  /** Refunds of advertisers in sum, in nano-units. Error `unavailable`. */
  readonly readRefunds: () => Promise<ReadonlyMap<AdvertiserId, bigint>>;
  readonly clock: Clock;
}

/** Makes {@link FindConcerns}. */
export function makeFindConcerns(deps: FindConcernsDeps): FindConcerns {
  return async () => {
    const asOfMs = deps.clock.now();
    const range = lastDay(asOfMs);
    const { catalog, apps } = deps.readCatalog();
    const facts = await readFacts(deps, catalog, asOfMs);
    const ofCampaigns = await explainReach(judgeCampaigns(catalog, facts), {
      catalog,
      // The present hour counts too, so that a new campaign has its reason at once.
      fetchLosses: (campaignId) => deps.fetchLosses(campaignId, { ...range, toMs: range.toMs + HOUR_MS }),
    });
    return { asOfMs, concerns: [...ofCampaigns, ...judgeApps(catalog, apps, facts)] };
  };
}

/** The last 24 whole hours. */
function lastDay(nowMs: number): HourRange {
  const toMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  return { fromMs: toMs - DAY_MS, toMs };
}

async function readFacts(
  { delivery, readActiveSince, readRefunds }: FindConcernsDeps,
  catalog: CatalogReader,
  nowMs: number,
): Promise<DeliveryFacts> {
  const range = lastDay(nowMs);
  const live = [...catalog.campaigns()].filter((campaign) => isLive(campaign, nowMs));
  const [activeSince, refundedNanos, spend, traffic, curves, sold, placed] = await Promise.all([
    readActiveSince(live.map(({ id }) => id)),
    readRefunds(),
    delivery.spend(dayOf(nowMs)),
    delivery.traffic(nowMs, USUAL_REQUESTS_MIN),
    delivery.curves(),
    delivery.sold(range),
    delivery.placed(range),
  ]);
  return {
    nowMs,
    activeSince,
    refundedNanos,
    spend: new Map(spend.map((row) => [row.campaignId, row])),
    campaigns: new Map(sold.map((row) => [row.campaignId, row])),
    advertisers: sumBy(sold, ({ advertiserId }) => advertiserId),
    placements: new Map(placed.map((row) => [`${row.appId}/${row.placement}`, row])),
    traffic,
    curves,
  };
}

function sumBy<Row extends DayCounts, Key>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): ReadonlyMap<Key, DayCounts> {
  const sums = new Map<Key, DayCounts>();
  for (const row of rows) {
    const sum = sums.get(keyOf(row)) ?? NO_COUNTS;
    sums.set(keyOf(row), {
      fills: sum.fills + row.fills,
      impressions: sum.impressions + row.impressions,
      spendNanos: sum.spendNanos + row.spendNanos,
    });
  }
  return sums;
}
