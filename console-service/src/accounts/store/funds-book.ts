import type { Adjustment } from '../domain/adjustment-rules.js';
import type { AccountFunds, Deposit } from '../domain/deposit-rules.js';

/** Entries of one kind, and which of them the ledger has. Every method may fail with `unavailable`. */
export interface UnbookedEntries<Entry> {
  /** The oldest that the ledger does not have yet, at most `countMax`. */
  readUnbooked(countMax: number): Promise<Entry[]>;
  markBooked(references: readonly string[], atMs: number): Promise<void>;
}

/** What was paid in and adjusted. */
export interface FundsBook {
  readonly deposits: UnbookedEntries<Deposit>;
  readonly adjustments: UnbookedEntries<Adjustment>;
  /** Everything, booked or not, by account, in a fixed order. Error `unavailable`. */
  readFunds(): Promise<AccountFunds[]>;
}
