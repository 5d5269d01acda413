import { toAppError } from '@placard/service-kit';
import type { Ledger, Verification } from '../clients/ledger.js';
import type { AccountFunds } from '../domain/deposit-rules.js';
import type { FundsBook } from '../store/funds-book.js';
import type { BookUnbooked } from './book-unbooked.js';

/** Proves that the books add up. Specification: Shapes of the machine-readable output. */
export type VerifyBooks = (request: { readonly isWaiting: boolean }) => Promise<Verification>;

/** How often a verification is made again when a deposit, an adjustment or the end of a connection's life ran through it. */
const ATTEMPTS_MAX = 3;

/** Makes {@link VerifyBooks}. What is paid in or adjusted meanwhile is no fault of the books: then it looks again. */
export function makeVerifyBooks(
  book: Pick<FundsBook, 'readFunds'>,
  ledger: Pick<Ledger, 'verify'>,
  bookUnbooked: BookUnbooked,
): VerifyBooks {
  /** Null: the call broke, and another one may get through. */
  const verifyOrNull = async (
    request: Parameters<Ledger['verify']>[0],
    isRetried: boolean,
  ): Promise<Verification | null> => {
    try {
      return await ledger.verify(request);
    } catch (error) {
      if (isRetried && toAppError(error).code === 'unavailable') return null;
      throw error;
    }
  };
  const attempt = async (isWaiting: boolean, attemptsLeft: number): Promise<Verification> => {
    await bookUnbooked();
    const funds = await book.readFunds();
    const verification = await verifyOrNull({ isWaiting, funds }, attemptsLeft > 1);
    if (verification === null) return attempt(isWaiting, attemptsLeft - 1);
    if (verification.ok || attemptsLeft <= 1) return verification;
    const isQuiet = isSameFunds(funds, await book.readFunds());
    return isQuiet ? verification : attempt(isWaiting, attemptsLeft - 1);
  };
  return ({ isWaiting }) => attempt(isWaiting, ATTEMPTS_MAX);
}

function isSameFunds(left: readonly AccountFunds[], right: readonly AccountFunds[]): boolean {
  return (
    left.length === right.length &&
    left.every(
      ({ kind, id, nanos }, index) =>
        right[index]?.kind === kind && right[index].id === id && right[index].nanos === nanos,
    )
  );
}
