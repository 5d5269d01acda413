import type {
  AdFormat,
  AdvertiserId,
  AppId,
  CampaignId,
  CreativeId,
  Nanos,
  PlacementCode,
  PublisherId,
} from '@placard/service-kit/pure';
import type { NoFillReason } from '../domain/ad-request.js';
import type { BudgetTruth, CampaignMinute, HeldMinute } from '../domain/budget.js';
import type { TrafficGroup } from '../domain/pacing/forecast.js';

/** Where requests and fills are counted. Rulings: "Reports". */
export interface CountPlace {
  readonly publisherId: PublisherId;
  readonly appId: AppId;
  readonly placement: PlacementCode;
  readonly format: AdFormat;
  readonly country: string | null;
}

/** Live ad requests of one hour; a null reason stands for fills. */
export interface RequestCount extends CountPlace {
  readonly hour: number;
  readonly noFillReason: NoFillReason | null;
  readonly count: number;
}

/** Fills of one campaign-minute. */
export interface FillCount extends CountPlace {
  readonly minute: number;
  readonly advertiserId: AdvertiserId;
  readonly campaignId: CampaignId;
  readonly creativeId: CreativeId;
  readonly count: number;
  readonly reservedNanos: Nanos;
  /** When the last of them is over, epoch ms. */
  readonly expiresAtMs: number;
}

/** Live requests of one half hour for which some campaign was left after targeting and caps. */
export interface TrafficCount {
  /** Since the epoch. */
  readonly halfHour: number;
  /** Null: apps without a category. */
  readonly category: string | null;
  readonly format: AdFormat;
  readonly count: number;
}

/** What one process has counted since its last batch; applied once per reporter and sequence. */
export interface ServingBatch {
  /** Counts from 1 in the process's life. */
  readonly sequence: number;
  readonly requests: readonly RequestCount[];
  readonly fills: readonly FillCount[];
  readonly traffic: readonly TrafficCount[];
}

/** What events-service knew of a campaign-minute before it was compared, less what suspicious impressions gave back. */
export interface KnownReservation {
  readonly campaignId: CampaignId;
  readonly minute: number;
  /** Of reported fills, and at least what was accepted. */
  readonly reportedNanos: Nanos;
  /** With what was found before. */
  readonly knownNanos: Nanos;
}

/** events-service, as far as budgets and reports need it. Errors: `unavailable`, `deadline_exceeded` and others. */
export interface SpendClient {
  /** The truth about an advertiser and the campaigns that are asked for. */
  budgetTruth(advertiserId: AdvertiserId, campaignIds: readonly CampaignId[]): Promise<BudgetTruth>;
  /**
   * The final accepted sums, in the order of the minutes. Error `failed_precondition` while one is not over by the
   * database's clock.
   */
  acceptedSums(minutes: readonly CampaignMinute[]): Promise<readonly Nanos[]>;
  /** Hands a batch over; the same batch may be sent again until this resolves. */
  report(batch: ServingBatch): Promise<void>;
  /** Tells what counters hold of minutes that are not over (each once); what they hold beyond the reports is kept. */
  reportReservations(minutes: readonly HeldMinute[]): Promise<readonly KnownReservation[]>;
  /** The learned days of traffic, those with most requests, at most 2,000; none while nothing is learned. */
  trafficGroups(): Promise<readonly TrafficGroup[]>;
}
