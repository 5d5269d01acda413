import { appError } from '@placard/service-kit';
import { CALENDAR_END_MS, HOUR_MS } from '@placard/service-kit/pure';
import { emptyOf, joinReport, type ReportRow } from '../domain/report.js';
import { hasVersion, sourcesOf, VERSION_COMPANIONS } from '../domain/report-sources.js';
import type { ReportQuery, ReportStore } from '../store/report.js';

/** A report and the instant of its snapshot (epoch ms). */
export interface Report {
  readonly asOfMs: number;
  readonly rows: readonly ReportRow[];
  /** A row without counts and keys. Its nulls show which figures the split does not have. */
  readonly empty: ReportRow;
}

/** Most named days of a report: three years. */
export const DAYS_MAX = 1_100;

/**
 * Reads a report. The start of its range is rounded down and the end up to whole hours. Errors: `invalid_argument`,
 * `unavailable`. Contract: docs/contract/reports.md#range, docs/contract/reports.md#filters.
 */
export type GetReport = (query: ReportQuery) => Promise<Report>;

/** Makes {@link GetReport}. */
export function makeGetReport(store: ReportStore): GetReport {
  return async ({ by, fromMs, toMs, filters, days }) => {
    if (!(fromMs >= 0 && toMs <= CALENDAR_END_MS))
      throw appError('invalid_argument', 'The range of a report lies between 1970 and 9999.');
    if (toMs < fromMs) throw appError('invalid_argument', 'A report must end after it begins.');
    const hours = {
      fromMs: Math.floor(fromMs / HOUR_MS) * HOUR_MS,
      toMs: Math.ceil(toMs / HOUR_MS) * HOUR_MS,
    };
    const query = { by, ...hours, filters, days };
    requireKeys(query);
    requireDays(query);
    const { asOfMs, cells } = await store.read(query);
    return { asOfMs, rows: joinReport(by, cells), empty: emptyOf(cells) };
  };
}

function requireKeys({ by, filters }: ReportQuery): void {
  const filtered = filters.map(({ key }) => key);
  if (new Set(by).size < by.length || new Set(filtered).size < filtered.length)
    throw appError('invalid_argument', 'A report can be split or filtered by each key only once.');
  if (filtered.includes('hour') || filtered.includes('day'))
    throw appError('invalid_argument', 'A report is filtered by its range, not by hour or day.');
  const needed = [...by, ...filtered];
  if (hasVersion(needed) && sourcesOf(needed, true).length === 0) {
    throw appError(
      'invalid_argument',
      `Versions are counted with these keys only: ${VERSION_COMPANIONS.join(', ')}.`,
    );
  }
}

function requireDays({ days, fromMs }: ReportQuery): void {
  const [first] = days;
  if (first === undefined) return;
  if (days.length > DAYS_MAX)
    throw appError('invalid_argument', `A report in a time zone has at most ${DAYS_MAX} days.`);
  const isWrong = days.some(
    (day, at) => day.fromMs % HOUR_MS !== 0 || day.fromMs <= (days[at - 1]?.fromMs ?? -Infinity),
  );
  if (isWrong || first.fromMs > fromMs)
    throw appError('invalid_argument', 'The days of a report ascend by whole hours from its start.');
}
