import { appError } from '@placard/service-kit';
import { CALENDAR_END_MS, DAY_MS, HOUR_MS, type CampaignId } from '@placard/service-kit/pure';
import type { AuctionDay, AuctionSegment, CampaignSpend, PlacementTraffic } from '../domain/delivery.js';
import type { DayRange, DeliveryStore, SpendPlace } from '../store/delivery.js';

const HISTORY_DAYS_MAX = 60;

/** Figures of the delivery of campaigns and of past auctions. Errors of all: `invalid_argument`, `unavailable`. */
export interface GetDelivery {
  /** One page of campaigns with their spend, ever and on a UTC day (since 1970). `only`: this campaign; null: all. */
  spend(day: number, after: SpendPlace, only: CampaignId | null): Promise<readonly CampaignSpend[]>;
  /** Placements that usually have at least `usualMin` requests in the last two whole hours before `atMs`. */
  traffic(atMs: number, usualMin: number): Promise<readonly PlacementTraffic[]>;
  /** What requests were worth, by day: at most 60 days. */
  auctions(days: DayRange, segment: AuctionSegment): Promise<readonly AuctionDay[]>;
}

/** Makes {@link GetDelivery}. */
export function makeGetDelivery(store: DeliveryStore): GetDelivery {
  return {
    async spend(day, after, only) {
      checkInstant(day * DAY_MS);
      return store.spend(day, after, only);
    },
    async traffic(atMs, usualMin) {
      checkInstant(atMs);
      return store.traffic(Math.floor(atMs / HOUR_MS) * HOUR_MS, usualMin);
    },
    async auctions(days, segment) {
      checkInstant(days.fromDay * DAY_MS);
      checkInstant(days.toDay * DAY_MS);
      if (days.toDay - days.fromDay > HISTORY_DAYS_MAX) {
        throw appError('invalid_argument', `A history has at most ${HISTORY_DAYS_MAX} days.`);
      }
      return store.auctions(days, segment);
    },
  };
}

function checkInstant(atMs: number): void {
  if (!(atMs >= 0 && atMs < CALENDAR_END_MS)) {
    throw appError('invalid_argument', 'The time of a figure lies between 1970 and 9999.');
  }
}
