import type { AccountFunds, LedgerCheck, RowsPiece } from '../domain/verification.js';

/** Proves the books. Error `unavailable`. Design: "Money". */
export interface VerificationStore {
  /**
   * Every check that the sums which are kept per day allow, all of one snapshot, in a fixed order. `funds` null: without
   * the comparison with console-service.
   *
   * Measured with 9,999,999 entries of 60 days on two shared cores: MEASURED_QUICK.
   */
  verify(funds: readonly AccountFunds[] | null): Promise<readonly LedgerCheck[]>;
  /**
   * One piece of the check from the rows: that the sums are those of the rows, and each booking is what was accepted. Pieces
   * are independent of each other. `after` is the `next` of the piece before; null: the first. Error also
   * `invalid_argument`: no such piece.
   *
   * Measured on the same ledger: MEASURED_FULL.
   */
  verifyRows(after: string | null): Promise<RowsPiece>;
}
