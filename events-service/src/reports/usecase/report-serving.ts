import { requireReport } from './require-report.js';
import type { CountStore, ServingReport } from '../store/counts.js';

export type { FillCount, LossCount, RequestCount, TrafficCount } from '../store/counts.js';

/** Most lines of one report, all kinds together. */
export const REPORT_LINES_MAX = 50_000;

/**
 * Applies the counts of a serving replica, once per reporter and sequence. Errors: `invalid_argument`, `unavailable` (send
 * the same report again).
 */
export type ReportServing = (report: ServingReport) => Promise<void>;

/** Makes {@link ReportServing}. */
export function makeReportServing(store: Pick<CountStore, 'addServingReport'>): ReportServing {
  return async (report) => {
    const { name, requests, fills, traffic, losses } = report;
    const lines = requests.length + fills.length + traffic.length + losses.length;
    requireReport(name, lines, REPORT_LINES_MAX);
    await store.addServingReport(report);
  };
}
