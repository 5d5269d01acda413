import type { ReportCells, ReportKey } from '../domain/report.js';

/** The range of a report (half-open, whole hours, epoch ms) and its split. */
export interface ReportQuery {
  readonly by: readonly ReportKey[];
  readonly fromMs: number;
  readonly toMs: number;
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
