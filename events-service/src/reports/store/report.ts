import type { ReportCells, ReportKey } from '../domain/report.js';

/** What a report asks for: half-open, whole hours, epoch ms. */
export interface ReportQuery {
  readonly by: readonly ReportKey[];
  readonly fromMs: number;
  readonly toMs: number;
}

/** The counts of a report, all of one moment. */
export interface ReportData {
  /** Epoch ms, by the database's clock. */
  readonly asOfMs: number;
  readonly cells: ReportCells;
}

/** Reads the roll-ups. Errors: `unavailable`; `invalid_argument` when the split gives too many rows. */
export interface ReportStore {
  read(query: ReportQuery): Promise<ReportData>;
}
