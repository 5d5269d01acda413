import type { ClosedMonth, Month, MonthState, MonthStatement } from '../domain/month.js';

/** Which statements of a closed month are read. */
export interface StatementsWanted {
  readonly month: Month;
  /** Only statements with a higher number. */
  readonly afterNumber: bigint;
  readonly rowsMax: number;
  /** True: only publishers to whom at least the minimum of the month is due, and something is open. */
  readonly isDueOnly: boolean;
}

/** Closed months and their statements. Error `unavailable`. */
export interface MonthStore {
  /**
   * Closes a month when `judge` allows it, and writes its statements: all in one transaction, while no booking is written.
   * `judge` receives the state of the books and throws when the month cannot be closed. A month that is closed stays as
   * it is.
   */
  close(
    month: Month,
    minimumPayoutNanos: bigint,
    judge: (state: MonthState) => void,
  ): Promise<{ readonly isNew: boolean; readonly month: ClosedMonth }>;
  /** Null: the month is open. */
  statements(
    wanted: StatementsWanted,
  ): Promise<{ readonly month: ClosedMonth; readonly statements: readonly MonthStatement[] } | null>;
}
