import { ReportServiceService } from '@placard/protos/events/v1/events.js';
import type {
  CountSuspiciousEventsRequest,
  CountSuspiciousEventsResponse,
} from '@placard/protos/fraud/v1/fraud.js';
import { appError } from '@placard/service-kit';
import { implementService, type ImplementedService } from '@placard/service-kit/grpc';
import type { GetReport } from '../usecase/get-report.js';
import type { ReportErrors } from '../usecase/report-errors.js';
import { fromWireError, fromWireFilter, fromWireKey, toWireRow } from './wire.js';

/** What ReportService does. */
export interface ReportUseCases {
  readonly getReport: GetReport;
  readonly reportErrors: ReportErrors;
  /** What fraud-service answers, in its own messages. Error `invalid_argument`. */
  readonly countSuspicious: (query: CountSuspiciousEventsRequest) => Promise<CountSuspiciousEventsResponse>;
}

/** ReportService on the wire. Contract: docs/contract/reports.md#reports. */
export function implementReportService(useCases: ReportUseCases): ImplementedService {
  return implementService(ReportServiceService, {
    async getReport({ by, fromMs, toMs, filters, days }) {
      const report = await useCases.getReport({
        by: by.map(fromWireKey),
        fromMs: Number(fromMs),
        toMs: Number(toMs),
        filters: filters.map(fromWireFilter),
        days: days.map((day) => ({ name: day.name, fromMs: Number(day.fromMs) })),
      });
      return {
        asOfMs: BigInt(report.asOfMs),
        rows: report.rows.map(toWireRow),
        empty: toWireRow(report.empty),
      };
    },
    async reportErrors({ reporterId, sequence, errors }) {
      const known = errors.map(fromWireError).filter((error) => error !== null);
      await useCases.reportErrors({ reporterId, sequence }, known);
      return {};
    },
    async getSuspiciousReport({ query }) {
      if (query === undefined) {
        throw appError('invalid_argument', 'The report of suspicious events is empty.');
      }
      return { report: await useCases.countSuspicious(query) };
    },
  });
}
