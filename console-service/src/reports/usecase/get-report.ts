import { appError } from '@placard/service-kit';
import { CALENDAR_END_MS, type Clock } from '@placard/service-kit/pure';
import type { FetchReport, ReportKey, ReportRow } from '../clients/reports.js';
import { reportRange, type ReportRange } from '../domain/report-range.js';

/** A request for a report. Instants in epoch ms; null: the default. */
export interface ReportRequest {
  readonly by: readonly ReportKey[];
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/** A report with the range that it covers. */
export interface Report extends ReportRange {
  readonly asOfMs: number;
  readonly rows: readonly ReportRow[];
}

/** Reads a report. Error `invalid_argument`: its range is empty or invalid. Contract: docs/contract/reports.md#range. */
export type GetReport = (request: ReportRequest) => Promise<Report>;

/** What {@link GetReport} needs. */
export interface GetReportDeps {
  readonly fetchReport: FetchReport;
  readonly clock: Clock;
}

/** Makes {@link GetReport}. */
export function makeGetReport({ fetchReport, clock }: GetReportDeps): GetReport {
  return async ({ by, fromMs, toMs }) => {
    if ((fromMs ?? 0) < 0 || (toMs ?? 0) > CALENDAR_END_MS) {
      throw appError(
        'invalid_argument',
        'The report is refused: its range goes beyond the years 1970 to 9999.',
      );
    }
    const range = reportRange({ fromMs, toMs }, clock.now());
    if (range === null) {
      throw appError(
        'invalid_argument',
        'The report is refused: its range is empty. It must begin before it ends.',
      );
    }
    const { asOfMs, rows } = await fetchReport({ by, ...range });
    return { asOfMs, ...range, rows };
  };
}
