import type { Deposit } from './catalog-store.js';

/** What an advertiser has paid in all together, in nano-units. */
export interface AdvertiserFunds {
  readonly advertiserId: string;
  readonly fundedNanos: bigint;
}

/** Which deposits the ledger has. Every method may fail with `unavailable`. */
export interface DepositBook {
  /** The oldest deposits that the ledger does not have yet, at most `countMax`. */
  readUnbooked(countMax: number): Promise<Deposit[]>;
  markBooked(references: readonly string[], atMs: number): Promise<void>;
  /** All deposits, booked or not, by advertiser. */
  readFunds(): Promise<AdvertiserFunds[]>;
}
