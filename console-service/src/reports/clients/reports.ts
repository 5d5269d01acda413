import {
  ReportServiceService,
  type ReportRow as WireRow,
  type GetReportResponse,
} from '@placard/protos/events/v1/events.js';
import type { Scope } from '@placard/service-kit';
import { openGrpcClient } from '@placard/service-kit/grpc';
import type { ReportKey } from '@placard/service-kit/pure';
import { reportKeyOnWire } from '@placard/service-kit/wire';
import { NO_FIGURES, type Counts, type Figures } from '../domain/figures.js';
import type { NamedDay } from '../domain/report-range.js';
import type { CountedRow } from '../domain/report-rows.js';

/** Only counts whose value of the key is one of these. */
export interface ReportFilter {
  readonly key: ReportKey;
  readonly values: readonly string[];
}

/** A report of events-service: a range (epoch ms, half-open, whole hours), its split and its filters. */
export interface CountsQuery {
  readonly by: readonly ReportKey[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly filters: readonly ReportFilter[];
  /** The days of the key `day`. Empty: UTC days. */
  readonly days: readonly NamedDay[];
}

/** The counted rows in the order of their keys. */
export interface CountedReport {
  readonly asOfMs: number;
  readonly rows: readonly CountedRow[];
  /** Figures without counts. */
  readonly empty: Figures;
}

/** Requests a report from events-service. Errors: `invalid_argument`, `unavailable`. */
export type FetchReport = (query: CountsQuery) => Promise<CountedReport>;

const BUDGET_MS = 30_000;

/** Opens the client of events-service's ReportService. */
export function openReports(scope: Scope, address: string): FetchReport {
  const client = openGrpcClient(scope, ReportServiceService, {
    address,
    name: 'events-service',
    budgetMs: BUDGET_MS,
  });
  return async ({ by, fromMs, toMs, filters, days }) => {
    const report = await client.getReport({
      by: by.map(reportKeyOnWire.toWire),
      fromMs: BigInt(fromMs),
      toMs: BigInt(toMs),
      filters: filters.map(({ key, values }) => ({ key: reportKeyOnWire.toWire(key), values: [...values] })),
      days: days.map((day) => ({ name: day.name, fromMs: BigInt(day.fromMs) })),
    });
    return fromWire(report);
  };
}

function fromWire({ asOfMs, rows, empty }: GetReportResponse): CountedReport {
  return {
    asOfMs: Number(asOfMs),
    rows: rows.map((row) => ({ keys: row.keys, figures: fromWireRow(row) })),
    // An older events-service does not say which figures a split has.
    empty: empty === undefined ? NO_FIGURES : fromWireRow(empty),
  };
}

function fromWireRow(row: WireRow): Figures {
  const event = (count: bigint): bigint | null => (row.hasNoEvents ? null : count);
  return {
    requests: row.requests ?? null,
    fills: row.fills,
    noFills: row.hasNoFills ? countsOf(row.noFills) : null,
    impressions: event(row.impressions),
    clicks: event(row.clicks),
    rewards: event(row.rewards),
    fallbacks: row.fallbacks === undefined ? null : countsOf(row.fallbacksByReason),
    rejected: row.hasRejected ? countsOf(row.rejected) : null,
    errors: row.hasErrors ? countsOf(row.errors) : null,
    spendNanos: event(row.spendNanos),
    revenueNanos: event(row.revenueNanos),
  };
}

function countsOf(counts: WireRow['noFills']): Counts {
  return new Map(Object.entries(counts).filter(([, count]) => count > 0n));
}
