import type {
  AdFormat,
  AdvertiserId,
  AppId,
  CampaignId,
  CreativeId,
  PlacementCode,
  PublisherId,
} from '@placard/service-kit/pure';
import type { NoFillReason } from '../domain/ad-request.js';
import type { LeaseReport } from '../budgets/domain/lease.js';
import type { LeaseAnswer, LeaseWant } from '../budgets/domain/lease-want.js';
import type { TrafficGroup } from '../pacing/domain/forecast.js';

/** Where requests and fills are counted. Contract: docs/contract/reports.md#requests-fills-no-fills. */
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

/** What one process has done with its leases, and what it wants. Bounds: 10,000 reports, 2,000 wants, 4,000 peeks. */
export interface LeaseRequest {
  /** The life of the process. */
  readonly run: string;
  /** The process's clock, epoch ms. */
  readonly atMs: number;
  readonly reports: readonly LeaseReport[];
  readonly wants: readonly LeaseWant[];
  /** Answered like wants, but nothing is granted. */
  readonly peeks: readonly LeaseWant[];
}

/** Answers in the order of the wants and peeks. */
export interface LeaseAnswers {
  readonly wants: readonly LeaseAnswer[];
  readonly peeks: readonly LeaseAnswer[];
}

/** events-service, as far as budgets and reports need it. Errors: `unavailable`, `deadline_exceeded` and others. */
export interface SpendClient {
  /** Reports leases and asks for grants; after a failure the same may be sent again. */
  exchange(request: LeaseRequest): Promise<LeaseAnswers>;
  /** Hands a batch over; the same batch may be sent again until this resolves. */
  report(batch: ServingBatch): Promise<void>;
  /** The learned days of traffic, those with most requests, at most 2,000; none while nothing is learned. */
  trafficGroups(): Promise<readonly TrafficGroup[]>;
}
