import type { Figures } from './figures.js';
import type { ReportRow } from './report-rows.js';

/** Who reads a report. Null: the operator, who sees every figure. */
export type Reader = 'publisher' | 'advertiser' | null;

interface ReportFigures {
  readonly rows: readonly ReportRow[];
  readonly total: Omit<ReportRow, 'keys'>;
}

/**
 * A report without what is not the reader's: a publisher does not see what advertisers were charged, and an advertiser
 * not what publishers earned. These figures are null. Contract: docs/contract/reports.md#tenants.
 */
export function viewOf<R extends ReportFigures>(report: R, reader: Reader): R {
  const { rows, total } = report;
  return { ...report, rows: rows.map((row) => hideIn(row, reader)), total: hideIn(total, reader) };
}

function hideIn<R extends ReportFigures['total']>(row: R, reader: Reader): R {
  const { figures, previous } = row;
  return {
    ...row,
    figures: hide(figures, reader),
    previous: previous === null ? null : hide(previous, reader),
  };
}

function hide(figures: Figures, reader: Reader): Figures {
  if (reader === 'publisher') return { ...figures, spendNanos: null };
  if (reader === 'advertiser') return { ...figures, revenueNanos: null };
  return figures;
}
