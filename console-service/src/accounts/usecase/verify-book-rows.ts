import { toAppError } from '@placard/service-kit';
import type { Ledger, RowsPiece } from '../clients/ledger.js';

export type { RowsPiece };

/** Attempts for a piece whose connection is closed at the end of its life. */
const ATTEMPTS_MAX = 3;

/** Checks one piece of the books from the rows. `after` is the `next` of the piece before; empty: the first. */
export type VerifyBookRows = (after: string) => Promise<RowsPiece>;

/** Makes {@link VerifyBookRows}. Pieces are independent, so a failed piece can be repeated. */
export function makeVerifyBookRows(ledger: Pick<Ledger, 'verifyRows'>): VerifyBookRows {
  const attempt = async (after: string, attemptsLeft: number): Promise<RowsPiece> => {
    try {
      return await ledger.verifyRows(after);
    } catch (error) {
      if (attemptsLeft <= 1 || toAppError(error).code !== 'unavailable') throw error;
      return attempt(after, attemptsLeft - 1);
    }
  };
  return (after) => attempt(after, ATTEMPTS_MAX);
}
