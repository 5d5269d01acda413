import {
  DeliveryServiceService,
  type CampaignSpend as WireSpend,
} from '@placard/protos/events/v1/delivery.js';
import { SpendServiceService } from '@placard/protos/events/v1/events.js';
import type { Scope } from '@placard/service-kit';
import { openGrpcClient } from '@placard/service-kit/grpc';
import {
  asAdvertiserId,
  asAppId,
  asCampaignId,
  asPlacementCode,
  type AdvertiserId,
  type AppId,
  type CampaignId,
  type PlacementCode,
  type TrafficGroup,
} from '@placard/service-kit/pure';
import { adFormatFromWire } from '@placard/service-kit/wire';
import type { FetchReport } from '../../reports/clients/reports.js';
import type { Figures } from '../../reports/domain/figures.js';
import type { CampaignSpend, DayCounts, PlacementTraffic } from '../domain/delivery.js';

/** Instants in epoch ms, half-open, whole hours. */
export interface HourRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Figures of delivery, which events-service owns. Errors of all: `unavailable`, `deadline_exceeded`. */
export interface Delivery {
  /** Campaigns that were ever sold, with their spend, ever and on a UTC day (since 1970). */
  spend(day: number): Promise<readonly CampaignSpend[]>;
  /** Placements that usually have at least `usualMin` requests in the last two whole hours before `atMs`. */
  traffic(atMs: number, usualMin: number): Promise<readonly PlacementTraffic[]>;
  /** The learned days of traffic. */
  curves(): Promise<readonly TrafficGroup[]>;
  /** Counts by campaign, of those that had any. */
  sold(range: HourRange): Promise<readonly SoldCounts[]>;
  /** Counts by placement, of those that had any. */
  placed(range: HourRange): Promise<readonly PlacedCounts[]>;
}

/** The counts of a campaign. */
export interface SoldCounts extends DayCounts {
  readonly advertiserId: AdvertiserId;
  readonly campaignId: CampaignId;
}

/** The counts of a placement. */
export interface PlacedCounts extends DayCounts {
  readonly appId: AppId;
  readonly placement: PlacementCode;
}

const BUDGET_MS = 30_000;
/** Without filters, and by UTC days. */
const ALL = { filters: [], days: [] } as const;

/** Opens the client of the figures of delivery. */
export function openDelivery(scope: Scope, address: string, fetchReport: FetchReport): Delivery {
  const options = { address, name: 'events-service', budgetMs: BUDGET_MS };
  const delivery = openGrpcClient(scope, DeliveryServiceService, options);
  const traffic = openGrpcClient(scope, SpendServiceService, options);
  return {
    async spend(day) {
      const spend: CampaignSpend[] = [];
      for (;;) {
        const last = spend.at(-1);
        const { campaigns } = await delivery.listCampaignSpend({
          day: BigInt(day),
          afterAdvertiserId: last?.advertiserId ?? '',
          afterCampaignId: last?.campaignId ?? '',
          campaignId: '',
        });
        if (campaigns.length === 0) return spend;
        spend.push(...campaigns.map(fromWireSpend));
      }
    },
    async traffic(atMs, usualMin) {
      const { placements } = await delivery.listPlacementTraffic({ atMs: BigInt(atMs), usualMin });
      return placements.map(({ appId, placement, requests, usual }) => ({
        appId: asAppId(appId),
        placement: asPlacementCode(placement),
        requests: Number(requests),
        usual,
      }));
    },
    async curves() {
      const { curves } = await traffic.getTrafficCurves({});
      return curves.flatMap(({ appCategory, format, ...curve }) => {
        const known = adFormatFromWire(format);
        if (known === null) return [];
        return [{ ...curve, category: appCategory === '' ? null : appCategory, format: known }];
      });
    },
    async sold(range) {
      const { rows } = await fetchReport({ by: ['advertiser', 'campaign'], ...range, ...ALL });
      return rows.map(({ keys: [advertiser = '', campaign = ''], figures }) => ({
        advertiserId: asAdvertiserId(advertiser),
        campaignId: asCampaignId(campaign),
        ...countsOf(figures),
      }));
    },
    async placed(range) {
      const { rows } = await fetchReport({ by: ['app', 'placement'], ...range, ...ALL });
      return rows.map(({ keys: [app = '', placement = ''], figures }) => ({
        appId: asAppId(app),
        placement: asPlacementCode(placement),
        ...countsOf(figures),
      }));
    },
  };
}

function countsOf({ fills, impressions, spendNanos }: Figures): DayCounts {
  if (impressions === null || spendNanos === null)
    throw new Error('the report has no impressions or no spend');
  return { fills: Number(fills), impressions: Number(impressions), spendNanos };
}

function fromWireSpend(wire: WireSpend): CampaignSpend {
  const { anchorAtMs, anchorSpentNanos, anchorBudgetNanos } = wire;
  return {
    advertiserId: asAdvertiserId(wire.advertiserId),
    campaignId: asCampaignId(wire.campaignId),
    spentNanos: wire.spentNanos,
    daySpentNanos: wire.daySpentNanos,
    openNanos: wire.openNanos,
    dayOpenNanos: wire.dayOpenNanos,
    anchor:
      anchorAtMs === undefined || anchorSpentNanos === undefined || anchorBudgetNanos === undefined
        ? null
        : { atMs: Number(anchorAtMs), spentNanos: anchorSpentNanos, budgetNanos: anchorBudgetNanos },
    shownNanos: wire.shownNanos,
    unshownNanos: wire.unshownNanos,
  };
}
