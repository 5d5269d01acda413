import type { Statement, StatementAccount } from '../domain/statement.js';

/** Reads statements. Error `unavailable`. */
export interface StatementStore {
  /** Of half-open UTC days (since 1970), all of one snapshot; with more than `linesMax` lines only that many and one more. */
  read(
    account: StatementAccount,
    range: { readonly fromDay: number; readonly toDay: number; readonly linesMax: number },
  ): Promise<Statement>;
}
