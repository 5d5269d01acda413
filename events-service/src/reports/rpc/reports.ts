import { ReportServiceService } from '@placard/protos/events/v1/events.js';
import { implementService, type ImplementedService } from '@placard/service-kit/grpc';
import type { GetReport } from '../usecase/get-report.js';
import { fromWireKey, toWireRow } from './wire.js';

/** ReportService on the wire. Contract: docs/contract/reports.md#reports. */
export function implementReportService(getReport: GetReport): ImplementedService {
  return implementService(ReportServiceService, {
    async getReport({ by, fromMs, toMs }) {
      const report = await getReport({ by: by.map(fromWireKey), fromMs: Number(fromMs), toMs: Number(toMs) });
      return { asOfMs: BigInt(report.asOfMs), rows: report.rows.map(toWireRow) };
    },
  });
}
