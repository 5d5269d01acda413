import { toAppError } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';
import type { GivenMoney, Ledger, Verification } from '../clients/ledger.js';
import type { AccountFunds } from '../domain/deposit-rules.js';
import type { BookUnbooked } from './book-unbooked.js';

export type { Verification };

/** Proves that the books add up. Contract: docs/contract/operator-interface.md#ledger-verify. */
export type VerifyBooks = (request: VerifyBooksRequest) => Promise<Verification>;

/** What to verify. */
export interface VerifyBooksRequest {
  /** True: waits until no event remains to settle or to count, for a minute at most. */
  readonly isWaiting: boolean;
  /** True: only the given money is compared, which no other process can check. */
  readonly isGivenOnly: boolean;
}

/** Attempts of a verification that a deposit, an adjustment or a closed connection disturbs. */
const ATTEMPTS_MAX = 3;
/** Longest wait of all attempts together. Contract: docs/contract/operator-interface.md#ledger-verify. */
const WAIT_MS_MAX = 60_000;
/** Longest time of all attempts' checks together. */
const CHECKS_MS_MAX = 40_000;

/** What {@link VerifyBooks} needs. */
export interface VerifyBooksDeps {
  readonly readGiven: () => Promise<GivenMoney>;
  readonly ledger: Pick<Ledger, 'verify'>;
  readonly bookUnbooked: BookUnbooked;
  readonly clock: Clock;
}

/** Makes {@link VerifyBooks}. It repeats when money is given meanwhile, since that is no fault of the books. */
export function makeVerifyBooks({ readGiven, ledger, bookUnbooked, clock }: VerifyBooksDeps): VerifyBooks {
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
  return async ({ isWaiting, isGivenOnly }) => {
    const waitUntilMs = clock.now() + (isWaiting ? WAIT_MS_MAX : 0);
    const deadlineAtMs = waitUntilMs + CHECKS_MS_MAX;
    /** The first answer. Its wait is not repeated. */
    let first: Verification | null = null;
    for (let attemptsLeft = ATTEMPTS_MAX - 1; ; attemptsLeft -= 1) {
      await bookUnbooked();
      const given = await readGiven();
      const waitMsMax = first === null ? Math.max(0, waitUntilMs - clock.now()) : 0;
      const found = await verifyOrNull({ waitMsMax, given, isGivenOnly, deadlineAtMs }, attemptsLeft > 0);
      if (found === null) continue;
      first ??= found;
      if (found.ok || attemptsLeft <= 0 || isSameGiven(given, await readGiven())) {
        return { ...found, waiting: first.waiting };
      }
    }
  };
}

function isSameGiven(left: GivenMoney, right: GivenMoney): boolean {
  return isSame(left.funds, right.funds) && isSame(left.transfers, right.transfers);
}

function isSame(left: readonly AccountFunds[], right: readonly AccountFunds[]): boolean {
  return (
    left.length === right.length &&
    left.every(
      ({ kind, id, nanos }, index) =>
        right[index]?.kind === kind && right[index].id === id && right[index].nanos === nanos,
    )
  );
}
