import { toAppError } from '@placard/service-kit';
import type { Ledger, Verification } from '../clients/ledger.js';
import type { AdvertiserFunds } from '../domain/deposit-rules.js';
import type { DepositBook } from '../store/deposit-book.js';
import type { BookDeposits } from './book-deposits.js';

/** Proves that the books add up. Specification: Shapes of the machine-readable output. */
export type VerifyBooks = (request: { readonly isWaiting: boolean }) => Promise<Verification>;

/** How often a verification is made again when deposits or the end of a connection's life ran through it. */
const ATTEMPTS_MAX = 3;

/** Makes {@link VerifyBooks}. A deposit that is made meanwhile is no fault of the books: then it looks again. */
export function makeVerifyBooks(
  book: Pick<DepositBook, 'readFunds'>,
  ledger: Pick<Ledger, 'verify'>,
  bookDeposits: BookDeposits,
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
    await bookDeposits();
    const funds = await book.readFunds();
    const verification = await verifyOrNull({ isWaiting, funds }, attemptsLeft > 1);
    if (verification === null) return attempt(isWaiting, attemptsLeft - 1);
    if (verification.ok || attemptsLeft <= 1) return verification;
    const isQuiet = isSameFunds(funds, await book.readFunds());
    return isQuiet ? verification : attempt(isWaiting, attemptsLeft - 1);
  };
  return ({ isWaiting }) => attempt(isWaiting, ATTEMPTS_MAX);
}

function isSameFunds(left: readonly AdvertiserFunds[], right: readonly AdvertiserFunds[]): boolean {
  return (
    left.length === right.length &&
    left.every(
      ({ advertiserId, fundedNanos }, index) =>
        right[index]?.advertiserId === advertiserId && right[index].fundedNanos === fundedNanos,
    )
  );
}
