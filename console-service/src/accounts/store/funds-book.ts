import type { Adjustment } from '../domain/adjustment-rules.js';
import type { AccountFunds, Deposit } from '../domain/deposit-rules.js';

/** Entries of one kind that are to be booked in the ledger. Every method may fail with `unavailable`. */
export interface UnbookedEntries<Entry> {
  /** The oldest unbooked entries, at most `countMax`. */
  readonly readUnbooked: (countMax: number) => Promise<Entry[]>;
  readonly markBooked: (references: readonly string[], atMs: number) => Promise<void>;
}

/** All deposits and adjustments. */
export interface FundsBook {
  readonly deposits: UnbookedEntries<Deposit>;
  readonly adjustments: UnbookedEntries<Adjustment>;
  /** The funds by account, booked or not, in a fixed order. Error `unavailable`. */
  readFunds(): Promise<AccountFunds[]>;
}
