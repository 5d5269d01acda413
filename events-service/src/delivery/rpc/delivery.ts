import { DeliveryServiceService } from '@placard/protos/events/v1/delivery.js';
import { appError } from '@placard/service-kit';
import { implementService, type ImplementedService } from '@placard/service-kit/grpc';
import { asAdvertiserId, asAppId, asCampaignId, type AdFormat } from '@placard/service-kit/pure';
import { adFormatFromWire } from '@placard/service-kit/wire';
import type { AuctionDay, CampaignSpend } from '../domain/delivery.js';
import type { GetDelivery } from '../usecase/get-delivery.js';

/** DeliveryService on the wire. */
export function implementDeliveryService(delivery: GetDelivery): ImplementedService {
  return implementService(DeliveryServiceService, {
    async listCampaignSpend({ day, afterAdvertiserId, afterCampaignId, campaignId }) {
      const after = {
        advertiserId: afterAdvertiserId === '' ? ('' as const) : asAdvertiserId(afterAdvertiserId),
        campaignId: afterCampaignId === '' ? ('' as const) : asCampaignId(afterCampaignId),
      };
      const only = campaignId === '' ? null : asCampaignId(campaignId);
      const campaigns = await delivery.spend(Number(day), after, only);
      return { campaigns: campaigns.map(toWireSpend) };
    },
    async listPlacementTraffic({ atMs, usualMin }) {
      const placements = await delivery.traffic(Number(atMs), usualMin);
      return { placements: placements.map((row) => ({ ...row })) };
    },
    async getAuctionHistory({ fromDay, toDay, formats, countries, appIds, exceptCampaignId }) {
      const days = await delivery.auctions(
        { fromDay: Number(fromDay), toDay: Number(toDay) },
        {
          formats: formats.map(toFormat),
          countries,
          appIds: appIds.map((id) => asAppId(id)),
          exceptCampaignId: exceptCampaignId === '' ? null : asCampaignId(exceptCampaignId),
        },
      );
      return { days: days.map(toWireDay) };
    },
  });
}

function toFormat(wire: Parameters<typeof adFormatFromWire>[0]): AdFormat {
  const format = adFormatFromWire(wire);
  if (format === null) throw appError('invalid_argument', 'The history has an unknown ad format.');
  return format;
}

function toWireSpend({ anchor, ...spend }: CampaignSpend) {
  return {
    ...spend,
    anchorAtMs: anchor === null ? undefined : BigInt(anchor.atMs),
    anchorSpentNanos: anchor?.spentNanos,
    anchorBudgetNanos: anchor?.budgetNanos,
  };
}

function toWireDay({ day, sold, ...counts }: AuctionDay) {
  return { ...counts, day: BigInt(day), sold: sold.map((row) => ({ ...row })) };
}
