import type {
  AdvertiserId,
  AppId,
  CampaignId,
  PaceAnchor,
  PlacementCode,
  TrafficGroup,
} from '@placard/service-kit/pure';

/** The spend of a campaign, ever and on this UTC day, in nano-units. */
export interface CampaignSpend {
  readonly advertiserId: AdvertiserId;
  readonly campaignId: CampaignId;
  /** Accepted impressions. */
  readonly spentNanos: bigint;
  readonly daySpentNanos: bigint;
  /** Money of open leases that is neither returned nor accepted. */
  readonly openNanos: bigint;
  readonly dayOpenNanos: bigint;
  /** Where the day's plan begins. Null: it has not begun, or the campaign is not paced. */
  readonly anchor: PaceAnchor | null;
  /** Outcomes of the fills of closed leases. Older days count less. */
  readonly shownNanos: number;
  readonly unshownNanos: number;
}

/** Counts of the last 24 whole hours. */
export interface DayCounts {
  readonly fills: number;
  readonly impressions: number;
  readonly spendNanos: bigint;
}

/** Counts without any event. */
export const NO_COUNTS: DayCounts = { fills: 0, impressions: 0, spendNanos: 0n };

/** The last two whole hours of a placement. */
export interface PlacementTraffic {
  readonly appId: AppId;
  readonly placement: PlacementCode;
  readonly requests: number;
  /** The mean of the same hours of the days before. */
  readonly usual: number;
}

/** What is known about delivery at one instant. Ids of removed objects may be among the keys. */
export interface DeliveryFacts {
  /** Epoch ms. */
  readonly nowMs: number;
  /** When live campaigns last became active, epoch ms. Missing: always. */
  readonly activeSince: ReadonlyMap<CampaignId, number>;
  /** Money that advertisers got back, in nano-units. */
  readonly refundedNanos: ReadonlyMap<AdvertiserId, bigint>;
  readonly spend: ReadonlyMap<CampaignId, CampaignSpend>;
  readonly campaigns: ReadonlyMap<CampaignId, DayCounts>;
  readonly advertisers: ReadonlyMap<AdvertiserId, DayCounts>;
  /** By `<app id>/<code>`. */
  readonly placements: ReadonlyMap<string, DayCounts>;
  readonly traffic: readonly PlacementTraffic[];
  readonly curves: readonly TrafficGroup[];
}

/** The spend of a campaign that was never sold. */
export function noSpend(advertiserId: AdvertiserId, campaignId: CampaignId): CampaignSpend {
  return {
    advertiserId,
    campaignId,
    spentNanos: 0n,
    daySpentNanos: 0n,
    openNanos: 0n,
    dayOpenNanos: 0n,
    anchor: null,
    shownNanos: 0,
    unshownNanos: 0,
  };
}
