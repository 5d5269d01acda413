import { ReportServiceService, type ReportRow as WireRow } from '@placard/protos/events/v1/events.js';
import { implementService, type ImplementedService } from '@placard/service-kit';
import type { ReportRow } from '../domain/report.js';
import type { GetReport } from '../usecase/get-report.js';
import { fromWireKey } from '../../rpc/words.js';

/** ReportService on the wire. Contract: docs/contract/reports.md#reports. */
export function implementReportService(getReport: GetReport): ImplementedService {
  return implementService(ReportServiceService, {
    async getReport({ by, fromMs, toMs }) {
      const report = await getReport({ by: by.map(fromWireKey), fromMs: Number(fromMs), toMs: Number(toMs) });
      return { asOfMs: BigInt(report.asOfMs), rows: report.rows.map(toWire) };
    },
  });
}

function toWire(row: ReportRow): WireRow {
  return {
    keys: [...row.keys],
    requests: row.requests ?? undefined,
    fills: row.fills,
    hasNoFills: row.noFills !== null,
    noFills: Object.fromEntries(row.noFills ?? []),
    impressions: row.impressions,
    clicks: row.clicks,
    rewards: row.rewards,
    fallbacks: row.fallbacks ?? undefined,
    hasRejected: true,
    rejected: Object.fromEntries(row.rejected),
    spendNanos: row.spendNanos,
    revenueNanos: row.revenueNanos,
  };
}
