import { toAppError, type Logger } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';

/** Bookings of one round, and how many of them are on their way at once. */
const ROUND_MAX = 200;
const CONCURRENCY_MAX = 8;

/** What booking needs; an entry is a deposit or an adjustment. */
export interface BookUnbookedDeps<Entry extends { readonly reference: string }> {
  /** What the entries are called, for the log. */
  readonly what: string;
  /** The oldest entries that the ledger does not have yet, at most `countMax`. */
  readonly readUnbooked: (countMax: number) => Promise<readonly Entry[]>;
  /** Idempotent by reference. */
  readonly record: (entry: Entry) => Promise<void>;
  readonly markBooked: (references: readonly string[], atMs: number) => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Books in the ledger everything that it does not have yet; true when nothing is left. False when events-service cannot
 * be reached: call again later, it is idempotent. Calls at the same time share one run.
 * Contract: docs/contract/money.md#ledger.
 */
export type BookUnbooked = () => Promise<boolean>;

/** Makes {@link BookUnbooked} for one kind of entries. */
export function makeBookUnbooked<Entry extends { readonly reference: string }>(
  deps: BookUnbookedDeps<Entry>,
): BookUnbooked {
  const refused = new Set<string>();
  let running: Promise<boolean> | null = null;
  let isAgainWanted = false;
  const runAll = async (): Promise<boolean> => {
    for (;;) {
      isAgainWanted = false;
      const isDone = await bookAll(deps, refused);
      if (!wanted()) return isDone;
    }
  };
  const wanted = (): boolean => isAgainWanted;
  return () => {
    // An entry made after the run has read its list must not wait for the next tick.
    isAgainWanted = true;
    running ??= runAll().finally(() => {
      running = null;
    });
    return running;
  };
}

/** Several kinds of entries as one. */
export function bookTogether(parts: readonly BookUnbooked[]): BookUnbooked {
  return async () => (await Promise.all(parts.map((part) => part()))).every(Boolean);
}

async function bookAll<Entry extends { readonly reference: string }>(
  deps: BookUnbookedDeps<Entry>,
  refused: Set<string>,
): Promise<boolean> {
  for (;;) {
    const unbooked = await deps.readUnbooked(ROUND_MAX + refused.size);
    const round = unbooked.filter((entry) => !refused.has(entry.reference));
    if (round.length === 0) return true;
    if (!(await bookRound(deps, round, refused))) return false;
  }
}

async function bookRound<Entry extends { readonly reference: string }>(
  deps: BookUnbookedDeps<Entry>,
  round: readonly Entry[],
  refused: Set<string>,
): Promise<boolean> {
  const waiting = [...round];
  const booked: string[] = [];
  let isReachable = true;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && isReachable; next = waiting.shift()) {
      const outcome = await bookOne(deps, next);
      if (outcome === 'booked') booked.push(next.reference);
      else if (outcome === 'refused') refused.add(next.reference);
      else isReachable = false;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY_MAX }, work));
  await deps.markBooked(booked, deps.clock.now());
  return isReachable;
}

async function bookOne<Entry extends { readonly reference: string }>(
  { record, log, what }: BookUnbookedDeps<Entry>,
  entry: Entry,
): Promise<'booked' | 'refused' | 'unreachable'> {
  const { reference } = entry;
  try {
    await record(entry);
    return 'booked';
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'conflict' || error.code === 'invalid_argument') {
      // The ledger has another booking than was made here: a person has to decide which one is right.
      log.error({ what, reference, reason: error.publicText }, 'the ledger refuses a booking');
      return 'refused';
    }
    log.debug({ what, reference, reason: error.publicText }, 'a booking waits for the ledger');
    return 'unreachable';
  }
}
