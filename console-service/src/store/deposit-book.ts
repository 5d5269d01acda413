import type { AdvertiserFunds, Deposit } from '../domain/deposit-rules.js';

/** Which deposits the ledger has. Every method may fail with `unavailable`. */
export interface DepositBook {
  /** The oldest deposits that the ledger does not have yet, at most `countMax`. */
  readUnbooked(countMax: number): Promise<Deposit[]>;
  markBooked(references: readonly string[], atMs: number): Promise<void>;
  /** All deposits, booked or not, by advertiser. */
  readFunds(): Promise<AdvertiserFunds[]>;
}
