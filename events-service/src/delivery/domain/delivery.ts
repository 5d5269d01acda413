import type {
  AdFormat,
  AdvertiserId,
  AppId,
  CampaignId,
  PaceAnchor,
  PlacementCode,
  PublisherId,
} from '@placard/service-kit/pure';

/** The spend of a campaign, ever and on one day, in nano-units. */
export interface CampaignSpend {
  readonly advertiserId: AdvertiserId;
  readonly campaignId: CampaignId;
  /** Accepted impressions. */
  readonly spentNanos: bigint;
  /** Of fills of the day. */
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

/** The last two whole hours of a placement, beside the same hours of the days before. */
export interface PlacementTraffic {
  readonly publisherId: PublisherId;
  readonly appId: AppId;
  readonly placement: PlacementCode;
  readonly requests: bigint;
  /** The mean of the days before. */
  readonly usual: number;
  /** How many days that mean has: 1 to 7. */
  readonly days: number;
}

/** Which requests a history is about. An empty list means any. */
export interface AuctionSegment {
  readonly formats: readonly AdFormat[];
  /** ISO 3166-1 alpha-2 in capitals. */
  readonly countries: readonly string[];
  readonly appIds: readonly AppId[];
  /** Fills of this campaign count as requests without a winner. Null: there is none. */
  readonly exceptCampaignId: CampaignId | null;
}

/** The requests of one UTC day. */
export interface AuctionDay {
  /** Since 1970. */
  readonly day: number;
  /** Requests for which no campaign was left. */
  readonly unsold: bigint;
  readonly sold: readonly SoldRequests[];
  /** Accepted impressions, without those of the excepted campaign. */
  readonly impressions: bigint;
}

/** Fills of one price. */
export interface SoldRequests {
  /** Of one impression; 0: not known, because none of the fills was shown. */
  readonly priceNanos: bigint;
  readonly fills: bigint;
}
