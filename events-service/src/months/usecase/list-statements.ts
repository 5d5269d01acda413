import { appError } from '@placard/service-kit';
import { monthFrom, monthText, type ClosedMonth, type MonthStatement } from '../domain/month.js';
import type { MonthStore } from '../store/months.js';

/** Most statements of one answer. */
const ROWS_MAX = 1_000;

/** Which statements of a closed month are listed. */
export interface StatementsRequest {
  /** UTC day since 1970. */
  readonly firstDay: number;
  readonly afterNumber: bigint;
  /** 1 to 1,000. */
  readonly rowsMax: number;
  readonly isDueOnly: boolean;
}

/** Lists statements by number. Errors: `invalid_argument`, `not_found` (the month is open), `unavailable`. */
export type ListStatements = (
  request: StatementsRequest,
) => Promise<{ readonly month: ClosedMonth; readonly statements: readonly MonthStatement[] }>;

/** Makes {@link ListStatements}. */
export function makeListStatements(store: Pick<MonthStore, 'statements'>): ListStatements {
  return async ({ firstDay, afterNumber, rowsMax, isDueOnly }) => {
    const month = monthFrom(firstDay);
    if (month === null) throw appError('invalid_argument', 'No month begins on that day.');
    if (!(rowsMax >= 1 && rowsMax <= ROWS_MAX))
      throw appError('invalid_argument', `A list has 1 to ${ROWS_MAX} statements.`);
    const found = await store.statements({ month, afterNumber, rowsMax, isDueOnly });
    if (found === null)
      throw appError('not_found', `${monthText(month)} is open: a month has statements once it is closed.`);
    return found;
  };
}
