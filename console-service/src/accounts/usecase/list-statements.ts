import type { ClosedMonth, Ledger, MonthStatement } from '../clients/ledger.js';
import { readMonthOrRefuse } from './read-month.js';

export type { ClosedMonth, MonthStatement };

/** The statements of a closed month that an operator asks for. */
export interface ListStatementsRequest {
  /** Such as `2026-11`. */
  readonly month: string;
  /** Only statements with a higher number. */
  readonly afterNumber: bigint;
  /** 1 to 1,000. */
  readonly rowsMax: number;
  /** True: only publishers to whom at least the minimum payout of the month is due, and something is open. */
  readonly isDueOnly: boolean;
}

/** Lists statements by number. Errors: `invalid_argument`, `not_found` (the month is open), `unavailable`. */
export type ListStatements = (
  request: ListStatementsRequest,
) => Promise<{ readonly month: ClosedMonth; readonly statements: readonly MonthStatement[] }>;

/** Makes {@link ListStatements}. */
export function makeListStatements(ledger: Pick<Ledger, 'listStatements'>): ListStatements {
  return async ({ month, ...wanted }) => ledger.listStatements({ days: readMonthOrRefuse(month), ...wanted });
}
