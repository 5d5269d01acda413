import { appError } from '@placard/service-kit';
import { CALENDAR_END_MS, HOUR_MS } from '@placard/service-kit/pure';
import { joinReport, type ReportRow } from '../domain/report.js';
import type { ReportQuery, ReportStore } from '../store/report.js';

/** A report and the instant of its snapshot (epoch ms). */
export interface Report {
  readonly asOfMs: number;
  readonly rows: readonly ReportRow[];
}

/**
 * Reads a report. The start of its range is rounded down and the end up to whole hours. Errors: `invalid_argument`,
 * `unavailable`. Contract: docs/contract/reports.md#range.
 */
export type GetReport = (query: ReportQuery) => Promise<Report>;

/** Makes {@link GetReport}. */
export function makeGetReport(store: ReportStore): GetReport {
  return async ({ by, fromMs, toMs }) => {
    if (!(fromMs >= 0 && toMs <= CALENDAR_END_MS))
      throw appError('invalid_argument', 'The range of a report lies between 1970 and 9999.');
    if (toMs < fromMs) throw appError('invalid_argument', 'A report must end after it begins.');
    if (new Set(by).size < by.length)
      throw appError('invalid_argument', 'A report can be split by each key only once.');
    const hours = {
      fromMs: Math.floor(fromMs / HOUR_MS) * HOUR_MS,
      toMs: Math.ceil(toMs / HOUR_MS) * HOUR_MS,
    };
    const { asOfMs, cells } = await store.read({ by, ...hours });
    return { asOfMs, rows: joinReport(by, cells) };
  };
}
