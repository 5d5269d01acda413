import { ReportServiceService, type ReportKey, type ReportRow } from '@placard/protos/events/v1/events.js';
import type { Scope } from '@placard/service-kit';
import { openGrpcClient } from '@placard/service-kit/grpc';

export type { ReportKey, ReportRow };

/** Requests the report of a range from events-service (epoch ms, half-open, whole hours). */
export type FetchReport = (request: {
  readonly by: readonly ReportKey[];
  readonly fromMs: number;
  readonly toMs: number;
}) => Promise<{ readonly asOfMs: number; readonly rows: readonly ReportRow[] }>;

const BUDGET_MS = 30_000;

/** Opens the client of events-service's ReportService. */
export function openReports(scope: Scope, address: string): FetchReport {
  const client = openGrpcClient(scope, ReportServiceService, {
    address,
    name: 'events-service',
    budgetMs: BUDGET_MS,
  });
  return async ({ by, fromMs, toMs }) => {
    const report = await client.getReport({ by: [...by], fromMs: BigInt(fromMs), toMs: BigInt(toMs) });
    return { asOfMs: Number(report.asOfMs), rows: report.rows };
  };
}
