import type {
  AdFormat,
  AdvertiserId,
  AppId,
  CampaignId,
  CreativeId,
  IntegrationError,
  PlacementCode,
  PublisherId,
} from '@placard/service-kit/pure';
import type { Fallback } from '../../events/domain/fallback.js';
import type { StepLoss } from '../../explain/domain/funnel.js';
import type { RejectionCount } from '../../events/domain/rejection-counts.js';

/** The key of a report. A report that is sent several times counts once. */
export interface ReportName {
  /** Random id of the run of the reporting process. */
  readonly reporterId: string;
  /** Number of the report within that run, from 1. */
  readonly sequence: bigint;
}

/** Live ad requests of one hour with equal values in every dimension of a report. */
export interface RequestCount {
  /** Hours since 1970. */
  readonly hour: number;
  readonly publisherId: PublisherId;
  readonly appId: AppId;
  readonly placement: PlacementCode;
  readonly format: AdFormat;
  /** Empty: not known. */
  readonly country: string;
  /** Empty: a fill. */
  readonly noFillReason: string;
  /** Versions that the requests name; `other` beyond the bound of versions. Empty: none. */
  readonly appVersion: string;
  readonly sdkVersion: string;
  readonly count: bigint;
}

/** Fills of one campaign-minute with equal values in every dimension of a report. */
export interface FillCount {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly publisherId: PublisherId;
  readonly appId: AppId;
  readonly placement: PlacementCode;
  readonly format: AdFormat;
  readonly country: string;
  readonly advertiserId: AdvertiserId;
  readonly campaignId: CampaignId;
  readonly creativeId: CreativeId;
  readonly count: bigint;
  /** Price of the fills, from a release without leases; 0 from other releases. */
  readonly reservedNanos: bigint;
  /** When the last of these fills is over, epoch ms, from a release without leases; 0 from other releases. */
  readonly expiresAtMs: number;
}

/** Live ad requests of one half hour that had a candidate after targeting and caps. */
export interface TrafficCount {
  /** Half hours since 1970. */
  readonly halfHour: number;
  /** Empty: the app has none. */
  readonly category: string;
  readonly format: AdFormat;
  readonly requests: bigint;
}

/** Integration errors of one hour and app. An error without a known app has empty ids. */
export interface AppErrorCount {
  /** Hours since 1970. */
  readonly hour: number;
  readonly publisherId: PublisherId | '';
  readonly appId: AppId | '';
  readonly error: IntegrationError;
  readonly count: bigint;
}
/** Requests of one hour that a campaign lost at one step. */
export type LossCount = StepLoss & { readonly campaignId: CampaignId };

/** The counts of a serving replica since its last report. */
export interface ServingReport {
  readonly name: ReportName;
  readonly requests: readonly RequestCount[];
  readonly fills: readonly FillCount[];
  readonly traffic: readonly TrafficCount[];
  readonly losses: readonly LossCount[];
}

/** Counts for reports. Counts with a {@link ReportName} are applied once per name. Errors: `unavailable`. */
export interface CountStore {
  /** False: it was applied before. */
  addServingReport(report: ServingReport): Promise<boolean>;
  /** False: it was applied before. */
  addRejections(name: ReportName, counts: readonly RejectionCount[]): Promise<boolean>;
  /** False: it was applied before. */
  addErrors(name: ReportName, counts: readonly AppErrorCount[]): Promise<boolean>;
  /** Counts all of the fallbacks or none. */
  addFallbacks(fallbacks: readonly Fallback[]): Promise<void>;
  /** Deletes rows that are older than these ages, in seconds. */
  prune(ages: { readonly fillsSeconds: number; readonly reportsSeconds: number }): Promise<void>;
}
