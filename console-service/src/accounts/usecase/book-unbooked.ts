import { toAppError, type Logger } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';

/** Most bookings of one round. */
const ROUND_MAX = 200;

/** What {@link makeBookUnbooked} needs. An entry is a deposit, an adjustment, a payout or a refund. */
export interface BookUnbookedDeps<Entry extends { readonly reference: string }> {
  /** Name of the entries in the log. */
  readonly what: string;
  /** The oldest unbooked entries, at most `countMax`. */
  readonly readUnbooked: (countMax: number) => Promise<readonly Entry[]>;
  /** Idempotent by reference. False: what became of the entry is stored already. */
  readonly record: (entry: Entry) => Promise<boolean>;
  /** Null: `record` stores the outcome of every entry. */
  readonly markBooked: ((references: readonly string[], atMs: number) => Promise<void>) | null;
  /** Most simultaneous calls of `record`. */
  readonly atOnceMax: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Books all unbooked entries in the ledger; true when nothing is left. False when events-service cannot be reached: call
 * again later, it is idempotent.
 * Contract: docs/contract/money.md#ledger.
 */
export type BookUnbooked = () => Promise<boolean>;

/** Makes {@link BookUnbooked} for one kind of entries; one call at a time. */
export function makeBookUnbooked<Entry extends { readonly reference: string }>(
  deps: BookUnbookedDeps<Entry>,
): BookUnbooked {
  const refused = new Set<string>();
  return () => bookAll(deps, refused);
}

/** Joins several kinds of entries into one {@link BookUnbooked}. */
export function bookTogether(parts: readonly BookUnbooked[]): BookUnbooked {
  return async () => (await Promise.all(parts.map((part) => part()))).every(Boolean);
}

/** Joins kinds of entries of which each is booked only when nothing is left of those before it. */
export function bookInOrder(parts: readonly BookUnbooked[]): BookUnbooked {
  return async () => {
    for (const part of parts) if (!(await part())) return false;
    return true;
  };
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
      else if (outcome === 'unreachable') isReachable = false;
    }
  };
  await Promise.all(Array.from({ length: deps.atOnceMax }, work));
  await deps.markBooked?.(booked, deps.clock.now());
  return isReachable;
}

async function bookOne<Entry extends { readonly reference: string }>(
  { record, log, what }: BookUnbookedDeps<Entry>,
  entry: Entry,
): Promise<'booked' | 'stored' | 'refused' | 'unreachable'> {
  const { reference } = entry;
  try {
    return (await record(entry)) ? 'booked' : 'stored';
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'conflict' || error.code === 'invalid_argument') {
      // The ledger has a different booking under this reference. A person must decide which one is right.
      log.error({ what, reference, reason: error.publicText }, 'the ledger refuses a booking');
      return 'refused';
    }
    log.debug({ what, reference, reason: error.publicText }, 'a booking waits for the ledger');
    return 'unreachable';
  }
}
