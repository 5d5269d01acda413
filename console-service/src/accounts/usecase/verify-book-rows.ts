import { toAppError } from '@placard/service-kit';
import type { Ledger, RowsPiece } from '../clients/ledger.js';

/** How often a piece is asked for when the end of a connection's life runs through it. */
const ATTEMPTS_MAX = 3;

/** Checks one piece of the books from the rows. `after` is the `next` of the piece before; empty: the first. */
export type VerifyBookRows = (after: string) => Promise<RowsPiece>;

/** Makes {@link VerifyBookRows}. Pieces are independent, so that one that broke is simply asked for again. */
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
