import { DeliveryServiceService } from '@placard/protos/events/v1/delivery.js';
import type { Scope } from '@placard/service-kit';
import { openGrpcClient } from '@placard/service-kit/grpc';
import { adFormatToWire } from '@placard/service-kit/wire';
import type { AuctionDay } from '../domain/forecast.js';
import type { Segment } from '../domain/planned-campaign.js';

/**
 * What past requests of a segment were worth, by UTC day (since 1970, half-open, at most 60), from events-service. Errors:
 * `invalid_argument` (too many prices), `unavailable`, `deadline_exceeded`.
 */
export type FetchAuctions = (
  days: { readonly fromDay: number; readonly toDay: number },
  segment: Segment,
) => Promise<readonly AuctionDay[]>;

const BUDGET_MS = 30_000;

/** Opens the client of the history of auctions. */
export function openAuctions(scope: Scope, address: string): FetchAuctions {
  const client = openGrpcClient(scope, DeliveryServiceService, {
    address,
    name: 'events-service',
    budgetMs: BUDGET_MS,
  });
  return async ({ fromDay, toDay }, { formats, countries, appIds, exceptCampaignId }) => {
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
  };
}
