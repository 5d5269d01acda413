import { appError } from '@placard/service-kit';
import { CALENDAR_END_MS, dayOf, type Clock } from '@placard/service-kit/pure';
import { addsUp, type Statement, type StatementAccount } from '../domain/statement.js';
import type { StatementStore } from '../store/statement.js';

/** Most lines of a statement, so that it fits into one message. */
const LINES_MAX = 50_000;
/** Statements usually cover a month. Two months leave room for other ranges. */
const DAYS_MAX = 62;

/** Half-open UTC days (since 1970). */
export interface StatementRange {
  readonly fromDay: number;
  readonly toDay: number;
}

/**
 * Reads the statement of an account. Errors: `invalid_argument` (range), `failed_precondition` (too many lines, or the lines
 * do not lead from the opening to the closing balance, which is a fault of the books), `unavailable`.
 */
export type GetStatement = (
  account: StatementAccount,
  range: StatementRange,
) => Promise<Statement & { readonly asOfMs: number }>;

/** Makes {@link GetStatement}. */
export function makeGetStatement(store: StatementStore, clock: Clock): GetStatement {
  return async (account, { fromDay, toDay }) => {
    if (!(fromDay < toDay && toDay - fromDay <= DAYS_MAX))
      throw appError('invalid_argument', `A statement covers 1 to ${DAYS_MAX} days.`);
    if (!(fromDay >= 0 && toDay <= dayOf(CALENDAR_END_MS)))
      throw appError('invalid_argument', 'A statement covers days from 1970 to 9999.');
    const asOfMs = clock.now();
    const statement = await store.read(account, { fromDay, toDay, linesMax: LINES_MAX });
    if (statement.lines.length > LINES_MAX) {
      throw appError(
        'failed_precondition',
        `The statement would have more than ${LINES_MAX} lines. Use a report by day and campaign instead.`,
      );
    }
    if (!addsUp(statement)) {
      throw appError(
        'failed_precondition',
        'The lines do not lead from the opening to the closing balance: verify the ledger.',
      );
    }
    return { ...statement, asOfMs };
  };
}
