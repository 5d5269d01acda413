import type {
  AdFormat,
  AdvertiserId,
  AppId,
  CampaignId,
  CreativeId,
  PlacementCode,
  PublisherId,
  ReportedNoFillReason,
  SelectionStep,
  TrafficGroup,
} from '@placard/service-kit/pure';
import type { LeaseReport } from '../budgets/domain/lease.js';
import type { LeaseAnswer, LeaseWant } from '../budgets/domain/lease-want.js';

/** The report keys of a request or fill. Contract: docs/contract/reports.md#requests-fills-no-fills. */
export interface CountPlace {
  readonly publisherId: PublisherId;
  readonly appId: AppId;
  readonly placement: PlacementCode;
  readonly format: AdFormat;
  readonly country: string | null;
}

/** Live ad requests of one hour. Reason null: fills. Versions null: the requests name none. */
export interface RequestCount extends CountPlace {
  readonly hour: number;
  readonly noFillReason: ReportedNoFillReason | null;
  readonly appVersion: string | null;
  readonly sdkVersion: string | null;
  readonly count: number;
}

/** Fills of one campaign and minute. */
export interface FillCount extends CountPlace {
  readonly minute: number;
  readonly advertiserId: AdvertiserId;
  readonly campaignId: CampaignId;
  readonly creativeId: CreativeId;
  readonly count: number;
}

/** Live requests of one half hour with at least one campaign after targeting and caps. */
export interface TrafficCount {
  /** Since the epoch. */
  readonly halfHour: number;
  /** Null: apps without a category. */
  readonly category: string | null;
  readonly format: AdFormat;
  readonly count: number;
}

/** Looked-at requests of one hour that a campaign lost at one step. */
export interface LossCount {
  readonly hour: number;
  readonly campaignId: CampaignId;
  readonly step: SelectionStep;
  /** The winner that outbid it. Null: another step, or a winner that is not named. */
  readonly rival: CampaignId | null;
  /** The live requests for which the looked-at ones stand. */
  readonly requests: number;
  /** The number of looked-at requests. */
  readonly samples: number;
}

/** The counts of one process since its last batch. events-service applies a batch once per reporter and sequence. */
export interface ServingBatch {
  /** The number of the batch in the life of the process, from 1. */
  readonly sequence: number;
  readonly requests: readonly RequestCount[];
  readonly fills: readonly FillCount[];
  readonly traffic: readonly TrafficCount[];
  readonly losses: readonly LossCount[];
}

/** The use of the leases of one process, and its wants. At most 10,000 reports, 2,000 wants and 4,000 peeks. */
export interface LeaseRequest {
  /** The replica run. */
  readonly run: string;
  /** The clock of the process, epoch ms. */
  readonly atMs: number;
  readonly reports: readonly LeaseReport[];
  readonly wants: readonly LeaseWant[];
  /** Wants that are answered without a grant. */
  readonly peeks: readonly LeaseWant[];
}

/** Answers in the order of the wants and peeks. */
export interface LeaseAnswers {
  readonly wants: readonly LeaseAnswer[];
  readonly peeks: readonly LeaseAnswer[];
}

/** The methods of events-service for budgets and reports. Errors: `unavailable`, `deadline_exceeded` and others. */
export interface SpendClient {
  /** Reports leases and asks for grants. After a failure the same request may be repeated. */
  exchange(request: LeaseRequest): Promise<LeaseAnswers>;
  /** Sends a batch. The same batch may be repeated until this resolves. */
  report(batch: ServingBatch): Promise<void>;
  /** The learned days of traffic, those with the most requests first, at most 2,000. Empty while nothing is learned. */
  trafficGroups(): Promise<readonly TrafficGroup[]>;
}
