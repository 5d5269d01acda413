import { appError } from '@placard/service-kit';
import type { CountStore, ServingReport } from '../store/counts.js';

export type { FillCount, RequestCount, TrafficCount } from '../store/counts.js';

/** Most lines of one report, all kinds together. */
export const REPORT_LINES_MAX = 50_000;
const REPORTER_CHARS_MAX = 128;

/**
 * Applies the counts of a serving replica, once per reporter and sequence. Errors: `invalid_argument`, `unavailable` (send
 * the same report again).
 */
export type ReportServing = (report: ServingReport) => Promise<void>;

/** Makes {@link ReportServing}. */
export function makeReportServing(store: Pick<CountStore, 'addServingReport'>): ReportServing {
  return async (report) => {
    const { reporterId, sequence } = report.name;
    if (reporterId === '' || reporterId.length > REPORTER_CHARS_MAX || sequence < 1n) {
      throw appError('invalid_argument', 'A report needs a reporter and a sequence from 1.');
    }
    if (report.requests.length + report.fills.length + report.traffic.length > REPORT_LINES_MAX) {
      throw appError('invalid_argument', `A report has at most ${REPORT_LINES_MAX} lines.`);
    }
    await store.addServingReport(report);
  };
}
