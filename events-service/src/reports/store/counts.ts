import type { AdFormat } from '@placard/service-kit/pure';
import type { Fallback } from '../../events/domain/fallback.js';
import type { RejectionCount } from '../../events/domain/rejection-counts.js';

/** Names a report, so that it counts once however often it is sent. */
export interface ReportName {
  /** Random id of the reporting process's life. */
  readonly reporterId: string;
  /** Counts from 1 in that life. */
  readonly sequence: bigint;
}

/** Live ad requests of one hour that a report does not tell apart. */
export interface RequestCount {
  /** Hours since 1970. */
  readonly hour: number;
  readonly publisherId: string;
  readonly appId: string;
  readonly placement: string;
  readonly format: AdFormat;
  /** Empty: not known. */
  readonly country: string;
  /** Empty: a fill. */
  readonly noFillReason: string;
  readonly count: bigint;
}

/** Fills of one campaign-minute that a report does not tell apart. */
export interface FillCount {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly publisherId: string;
  readonly appId: string;
  readonly placement: string;
  readonly format: AdFormat;
  readonly country: string;
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly creativeId: string;
  readonly count: bigint;
  /** Of a release without leases: the price of the fills; else 0. */
  readonly reservedNanos: bigint;
  /** Of a release without leases: when the last of these fills is over, epoch ms; else 0. */
  readonly expiresAtMs: number;
}

/** Live ad requests of one half hour for which some campaign was left after targeting and caps. */
export interface TrafficCount {
  /** Half hours since 1970. */
  readonly halfHour: number;
  /** Empty: the app has none. */
  readonly category: string;
  readonly format: AdFormat;
  readonly requests: bigint;
}

/** What a serving replica has counted since its last report. */
export interface ServingReport {
  readonly name: ReportName;
  readonly requests: readonly RequestCount[];
  readonly fills: readonly FillCount[];
  readonly traffic: readonly TrafficCount[];
}

/** Counts of what happened. What carries a name is applied once under it. Errors: `unavailable`. */
export interface CountStore {
  /** False: it was applied before. */
  addServingReport(report: ServingReport): Promise<boolean>;
  /** False: it was applied before. */
  addRejections(name: ReportName, counts: readonly RejectionCount[]): Promise<boolean>;
  /** Counts each of them, all or none. */
  addFallbacks(fallbacks: readonly Fallback[]): Promise<void>;
  /** Forgets what is older than anyone asks for; ages in seconds. */
  prune(ages: { readonly fillsSeconds: number; readonly reportsSeconds: number }): Promise<void>;
}
