import { appError } from '@placard/service-kit';
import { loadText } from '@placard/service-kit/files';
import type { Pool } from '@placard/service-kit/postgres';
import {
  DAY_MS,
  dayOf,
  dayToIso,
  type AdvertiserId,
  type AppId,
  type CampaignId,
  type PlacementCode,
  type PublisherId,
} from '@placard/service-kit/pure';
import { whileAvailable } from '../../store/postgres-errors.js';
import { inSnapshot } from '../../store/snapshot.js';
import type { AuctionDay, CampaignSpend, SoldRequests } from '../domain/delivery.js';
import { SPEND_PAGE_MAX, type DeliveryStore } from './delivery.js';

const selectSpend = loadText(import.meta.url, './select-campaign-spend.sql');
const selectTraffic = loadText(import.meta.url, './select-placement-traffic.sql');
const selectDays = loadText(import.meta.url, './select-auction-days.sql');
const selectPrices = loadText(import.meta.url, './select-auction-prices.sql');

const PLACEMENTS_MAX = 10_000;
/** More would not fit into one message. */
const PRICES_MAX = 50_000;

interface SpendRow {
  readonly advertiser_id: AdvertiserId;
  readonly campaign_id: CampaignId;
  readonly spent_nanos: bigint;
  readonly open_nanos: bigint;
  readonly day_spent_nanos: bigint;
  readonly day_open_nanos: bigint;
  readonly anchor_at: number | null;
  readonly anchor_spent_nanos: bigint | null;
  readonly anchor_budget_nanos: bigint | null;
  readonly shown_nanos: number;
  readonly unshown_nanos: number;
}

interface TrafficRow {
  readonly publisher_id: PublisherId;
  readonly app_id: AppId;
  readonly placement: PlacementCode;
  readonly requests: bigint;
  readonly usual: number;
  readonly days: number;
}

interface DayRow {
  readonly day: string;
  readonly unsold: bigint;
  readonly impressions: bigint;
}

interface PriceRow {
  readonly day: string;
  readonly price_nanos: bigint;
  readonly fills: bigint;
}

/** Opens {@link DeliveryStore} on Postgres. */
export function openDeliveryStore(pool: Pool): DeliveryStore {
  return {
    spend: (day, { advertiserId, campaignId }, only) =>
      whileAvailable(async () => {
        const values = [dayToIso(day), advertiserId, campaignId, SPEND_PAGE_MAX, only ?? ''];
        const { rows } = await pool.query<SpendRow>(selectSpend, values);
        return rows.map(toSpend);
      }),
    traffic: (toMs, usualMin) =>
      whileAvailable(async () => {
        const { rows } = await pool.query<TrafficRow>(selectTraffic, [toMs, usualMin, PLACEMENTS_MAX]);
        return rows.map(({ publisher_id: publisherId, app_id: appId, ...row }) => ({
          publisherId,
          appId,
          ...row,
        }));
      }),
    auctions: ({ fromDay, toDay }, { formats, countries, appIds, exceptCampaignId }) =>
      whileAvailable(() =>
        inSnapshot(pool, async (client) => {
          const asked = [
            fromDay * DAY_MS,
            toDay * DAY_MS,
            formats,
            countries,
            appIds,
            exceptCampaignId ?? '',
          ];
          const days = await client.query<DayRow>(selectDays, asked);
          const prices = await client.query<PriceRow>(selectPrices, [...asked, PRICES_MAX + 1]);
          if (prices.rows.length > PRICES_MAX) {
            throw appError('invalid_argument', 'The history has too many prices. Ask for fewer days.');
          }
          return joinDays(days.rows, prices.rows);
        }),
      ),
  };
}

function toSpend(row: SpendRow): CampaignSpend {
  const { anchor_at: atMs, anchor_spent_nanos: spentNanos, anchor_budget_nanos: budgetNanos } = row;
  return {
    advertiserId: row.advertiser_id,
    campaignId: row.campaign_id,
    spentNanos: row.spent_nanos,
    daySpentNanos: row.day_spent_nanos,
    openNanos: row.open_nanos,
    dayOpenNanos: row.day_open_nanos,
    anchor:
      atMs === null || spentNanos === null || budgetNanos === null ? null : { atMs, spentNanos, budgetNanos },
    shownNanos: row.shown_nanos,
    unshownNanos: row.unshown_nanos,
  };
}

function joinDays(days: readonly DayRow[], prices: readonly PriceRow[]): readonly AuctionDay[] {
  const sold = new Map<string, SoldRequests[]>();
  for (const { day, price_nanos: priceNanos, fills } of prices) {
    const known = sold.get(day);
    if (known === undefined) sold.set(day, [{ priceNanos, fills }]);
    else known.push({ priceNanos, fills });
  }
  const counted = new Map(days.map((row) => [row.day, row]));
  return [...new Set([...counted.keys(), ...sold.keys()])].sort().map((day) => ({
    day: dayOf(Date.parse(`${day}T00:00:00Z`)),
    unsold: counted.get(day)?.unsold ?? 0n,
    impressions: counted.get(day)?.impressions ?? 0n,
    sold: sold.get(day) ?? [],
  }));
}
