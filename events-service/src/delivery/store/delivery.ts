import type { AdvertiserId, CampaignId } from '@placard/service-kit/pure';
import type { AuctionDay, AuctionSegment, CampaignSpend, PlacementTraffic } from '../domain/delivery.js';

/** Most campaigns of a page. */
export const SPEND_PAGE_MAX = 5_000;

/** Figures of delivery. Days are UTC days since 1970. Errors of all: `unavailable`. */
export interface DeliveryStore {
  /**
   * Campaigns after `after`, at most {@link SPEND_PAGE_MAX}, in the order of advertiser and campaign. `only`: this campaign;
   * null: all.
   */
  spend(day: number, after: SpendPlace, only: CampaignId | null): Promise<readonly CampaignSpend[]>;
  /**
   * Placements that usually have at least `usualMin` requests in the two hours before `toMs` (a whole hour), those that
   * lost most requests first, at most 10,000.
   */
  traffic(toMs: number, usualMin: number): Promise<readonly PlacementTraffic[]>;
  /** The days with requests, half-open, in order. Error `invalid_argument`: there are more than 50,000 prices. */
  auctions(days: DayRange, segment: AuctionSegment): Promise<readonly AuctionDay[]>;
}

/** UTC days since 1970, half-open. */
export interface DayRange {
  readonly fromDay: number;
  readonly toDay: number;
}

/** A place in the list of campaigns. Empty ids: before the first. */
export interface SpendPlace {
  readonly advertiserId: AdvertiserId | '';
  readonly campaignId: CampaignId | '';
}
