import type { RowsPiece } from '../domain/verification.js';
import type { VerificationStore } from '../store/verification.js';

/**
 * Checks one piece of the books from the rows. Errors `invalid_argument` (no such piece), `unavailable`.
 * Design: docs/architecture.md#money.
 */
export type VerifyRows = (after: string | null) => Promise<RowsPiece>;

/** Makes {@link VerifyRows}. */
export function makeVerifyRows(books: Pick<VerificationStore, 'verifyRows'>): VerifyRows {
  return (after) => books.verifyRows(after);
}
