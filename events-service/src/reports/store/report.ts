import type { ReportCells } from '../domain/report.js';
import type { ReportFilter, ReportKey } from '../domain/report-sources.js';

/** A day of a report: its name in the rows, and its first instant (epoch ms, a whole hour). It ends where the next begins. */
export interface ReportDay {
  readonly name: string;
  readonly fromMs: number;
}

/** The range of a report (half-open, whole hours, epoch ms), its split and its filters. */
export interface ReportQuery {
  readonly by: readonly ReportKey[];
  readonly fromMs: number;
  readonly toMs: number;
  /** A count must match all of them. */
  readonly filters: readonly ReportFilter[];
  /** Ascending. The first begins no later than the range. Empty: UTC days. */
  readonly days: readonly ReportDay[];
}

/** The counts of a report, read in one snapshot. */
export interface ReportData {
  /** Epoch ms, by the database's clock. */
  readonly asOfMs: number;
  readonly cells: ReportCells;
}

/** Reads the roll-ups. Errors: `unavailable`; `invalid_argument` when the split gives too many rows. */
export interface ReportStore {
  read(query: ReportQuery): Promise<ReportData>;
}
