import type { Statement, StatementAccount } from '../domain/statement.js';

/** Reads statements. Error `unavailable`. */
export interface StatementStore {
  /** A statement of half-open UTC days (since 1970), read in one snapshot. It has at most `linesMax` + 1 lines. */
  read(
    account: StatementAccount,
    range: { readonly fromDay: number; readonly toDay: number; readonly linesMax: number },
  ): Promise<Statement>;
}
