import type { AccountId, AccountKind } from '@placard/service-kit/pure';

export type { AccountKind };

/** One line of a booking. A positive amount raises the balance of the account. */
export interface LedgerEntry {
  readonly transactionId: string;
  readonly accountKind: AccountKind;
  readonly accountId: AccountId;
  /** UTC day (since 1970) to which it counts. */
  readonly day: number;
  readonly amountNanos: bigint;
}

/** The sum of an account's entries of one day. */
export interface AccountDaySum {
  readonly accountKind: AccountKind;
  readonly accountId: AccountId;
  readonly day: number;
  readonly sumNanos: bigint;
  readonly entries: number;
}

/** Sums entries by account and day. */
export function sumEntries(entries: readonly LedgerEntry[]): readonly AccountDaySum[] {
  return merge(
    entries.map(({ accountKind, accountId, day, amountNanos }) => {
      return { accountKind, accountId, day, sumNanos: amountNanos, entries: 1 };
    }),
    (sum) => [sum.accountKind, sum.accountId, sum.day].join('\n'),
    (a, b) => ({ ...a, sumNanos: a.sumNanos + b.sumNanos, entries: a.entries + b.entries }),
  );
}

function merge<T>(items: readonly T[], keyOf: (item: T) => string, add: (a: T, b: T) => T): readonly T[] {
  const merged = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    const known = merged.get(key);
    merged.set(key, known === undefined ? item : add(known, item));
  }
  return [...merged.values()];
}
