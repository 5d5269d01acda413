import { DeliveryServiceService } from '@placard/protos/events/v1/delivery.js';
import type { Scope } from '@placard/service-kit';
import { openGrpcClient } from '@placard/service-kit/grpc';
import type { CampaignId } from '@placard/service-kit/pure';
import { adFormatToWire } from '@placard/service-kit/wire';
import type { AuctionDay } from '../domain/forecast.js';
import { NOTHING_SPENT, type Segment, type Spent } from '../domain/planned-campaign.js';

/**
 * What past requests of a segment were worth, by UTC day (since 1970, half-open, at most 60), from events-service. Errors:
 * `invalid_argument` (too many prices), `unavailable`, `deadline_exceeded`.
 */
export type FetchAuctions = (
  days: { readonly fromDay: number; readonly toDay: number },
  segment: Segment,
) => Promise<readonly AuctionDay[]>;

/** What a campaign has spent, ever and on a UTC day (since 1970). Errors: `unavailable`, `deadline_exceeded`. */
export type FetchSpent = (campaignId: CampaignId, day: number) => Promise<Spent>;

/** What forecasts ask events-service for. */
export interface ForecastFigures {
  readonly fetchAuctions: FetchAuctions;
  readonly fetchSpent: FetchSpent;
}

const BUDGET_MS = 30_000;

/** Opens the client of the figures. */
export function openForecastFigures(scope: Scope, address: string): ForecastFigures {
  const client = openGrpcClient(scope, DeliveryServiceService, {
    address,
    name: 'events-service',
    budgetMs: BUDGET_MS,
  });
  return {
    async fetchAuctions({ fromDay, toDay }, { formats, countries, appIds, exceptCampaignId }) {
      const { days } = await client.getAuctionHistory({
        fromDay: BigInt(fromDay),
        toDay: BigInt(toDay),
        formats: formats.map(adFormatToWire),
        countries: [...countries],
        appIds: [...appIds],
        exceptCampaignId: exceptCampaignId ?? '',
      });
      return days.map(({ day, unsold, impressions, sold }) => ({
        day: Number(day),
        unsold: Number(unsold),
        impressions: Number(impressions),
        sold: sold.map(({ priceNanos, fills }) => ({ priceNanos, fills: Number(fills) })),
      }));
    },
    async fetchSpent(campaignId, day) {
      const first = { afterAdvertiserId: '', afterCampaignId: '' };
      const { campaigns } = await client.listCampaignSpend({ day: BigInt(day), ...first, campaignId });
      return campaigns.reduce(
        (sum, { spentNanos, daySpentNanos }) => ({
          spentNanos: sum.spentNanos + spentNanos,
          daySpentNanos: sum.daySpentNanos + daySpentNanos,
        }),
        NOTHING_SPENT,
      );
    },
  };
}
