import { toAppError } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';
import type { Ledger, Verification } from '../clients/ledger.js';
import type { AccountFunds } from '../domain/deposit-rules.js';
import type { FundsBook } from '../store/funds-book.js';
import type { BookUnbooked } from './book-unbooked.js';

/** Proves that the books add up. Contract: docs/contract/operator-interface.md#ledger-verify. */
export type VerifyBooks = (request: { readonly isWaiting: boolean }) => Promise<Verification>;

/** Attempts of a verification that a deposit, an adjustment or a closed connection disturbs. */
const ATTEMPTS_MAX = 3;
/** Longest wait of all attempts together. Contract: docs/contract/operator-interface.md#ledger-verify. */
const WAIT_MS_MAX = 60_000;
/** Longest time of all attempts' checks together. */
const CHECKS_MS_MAX = 40_000;

/** What {@link VerifyBooks} needs. */
export interface VerifyBooksDeps {
  readonly book: Pick<FundsBook, 'readFunds'>;
  readonly ledger: Pick<Ledger, 'verify'>;
  readonly bookUnbooked: BookUnbooked;
  readonly clock: Clock;
}

/** Makes {@link VerifyBooks}. It repeats when funds change meanwhile, since that is no fault of the books. */
export function makeVerifyBooks({ book, ledger, bookUnbooked, clock }: VerifyBooksDeps): VerifyBooks {
  /** Null: the call failed, and another attempt may succeed. */
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
  return async ({ isWaiting }) => {
    const waitUntilMs = clock.now() + (isWaiting ? WAIT_MS_MAX : 0);
    const deadlineAtMs = waitUntilMs + CHECKS_MS_MAX;
    /** The first answer. Its wait is not repeated. */
    let first: Verification | null = null;
    for (let attemptsLeft = ATTEMPTS_MAX - 1; ; attemptsLeft -= 1) {
      await bookUnbooked();
      const funds = await book.readFunds();
      const waitMsMax = first === null ? Math.max(0, waitUntilMs - clock.now()) : 0;
      const found = await verifyOrNull({ waitMsMax, funds, deadlineAtMs }, attemptsLeft > 0);
      if (found === null) continue;
      first ??= found;
      if (found.ok || attemptsLeft <= 0 || isSameFunds(funds, await book.readFunds())) {
        return { ...found, waiting: first.waiting };
      }
    }
  };
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
