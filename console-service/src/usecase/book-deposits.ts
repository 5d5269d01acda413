import { toAppError, type Logger } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';
import type { Ledger } from '../clients/ledger.js';
import type { Deposit } from '../domain/deposit-rules.js';
import type { DepositBook } from '../store/deposit-book.js';

/** Deposits of one round, and how many of them are on their way at once. */
const ROUND_MAX = 200;
const CONCURRENCY_MAX = 8;

/** What booking needs. */
export interface BookDepositsOptions {
  readonly book: DepositBook;
  readonly ledger: Pick<Ledger, 'recordDeposit'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Brings every deposit into the ledger that is not there yet; true when none is left. False when events-service cannot be
 * reached: call again later, it is idempotent. Calls at the same time share one run. Rulings: Money.
 */
export type BookDeposits = () => Promise<boolean>;

/** Makes {@link BookDeposits}. */
export function makeBookDeposits(options: BookDepositsOptions): BookDeposits {
  const refused = new Set<string>();
  let running: Promise<boolean> | null = null;
  let isAgainWanted = false;
  const runAll = async (): Promise<boolean> => {
    for (;;) {
      isAgainWanted = false;
      const isDone = await bookAll(options, refused);
      if (!wanted()) return isDone;
    }
  };
  const wanted = (): boolean => isAgainWanted;
  return () => {
    // A deposit made after the run has read its list must not wait for the next tick.
    isAgainWanted = true;
    running ??= runAll().finally(() => {
      running = null;
    });
    return running;
  };
}

async function bookAll(options: BookDepositsOptions, refused: Set<string>): Promise<boolean> {
  for (;;) {
    const unbooked = await options.book.readUnbooked(ROUND_MAX + refused.size);
    const round = unbooked.filter((deposit) => !refused.has(deposit.reference));
    if (round.length === 0) return true;
    if (!(await bookRound(options, round, refused))) return false;
  }
}

async function bookRound(
  options: BookDepositsOptions,
  round: readonly Deposit[],
  refused: Set<string>,
): Promise<boolean> {
  const waiting = [...round];
  const booked: string[] = [];
  let isReachable = true;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && isReachable; next = waiting.shift()) {
      const outcome = await bookOne(options, next);
      if (outcome === 'booked') booked.push(next.reference);
      else if (outcome === 'refused') refused.add(next.reference);
      else isReachable = false;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY_MAX }, work));
  await options.book.markBooked(booked, options.clock.now());
  return isReachable;
}

async function bookOne(
  options: BookDepositsOptions,
  deposit: Deposit,
): Promise<'booked' | 'refused' | 'unreachable'> {
  try {
    await options.ledger.recordDeposit(deposit);
    return 'booked';
  } catch (thrown) {
    const error = toAppError(thrown);
    const { reference } = deposit;
    if (error.code === 'conflict' || error.code === 'invalid_argument') {
      // The ledger says something else than the deposits: only a person can tell which one is right.
      options.log.error({ reference, why: error.publicText }, 'the ledger refuses a deposit');
      return 'refused';
    }
    options.log.debug({ reference, why: error.publicText }, 'a deposit waits for the ledger');
    return 'unreachable';
  }
}
