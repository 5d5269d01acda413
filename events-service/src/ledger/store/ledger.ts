import type { AdvertiserId } from '@placard/service-kit/pure';
import type { AccountKind } from '../domain/ledger-entry.js';

/** Money that an advertiser paid in. */
export interface Deposit {
  readonly advertiserId: AdvertiserId;
  /** Above zero. */
  readonly amountNanos: bigint;
  /** Unique among deposits. */
  readonly reference: string;
  /** Epoch ms. */
  readonly atMs: number;
}

/** A correction: a new booking between an account and the platform's. */
export interface Adjustment {
  readonly accountKind: 'advertiser' | 'publisher';
  readonly accountId: string;
  /** Above zero: the account has more, the platform less. Not zero. */
  readonly amountNanos: bigint;
  /** Unique among adjustments. */
  readonly reference: string;
  readonly reason: string;
  /** Epoch ms. */
  readonly atMs: number;
}

/** `new`: booked now; `same`: booked before, the same; `other`: the reference stands for another account or amount. */
export type BookingOutcome = 'new' | 'same' | 'other';

/** What an account has. */
export interface AccountBalance {
  readonly kind: AccountKind;
  readonly id: string;
  readonly balanceNanos: bigint;
}

/** The state of the books in two figures. */
export interface LedgerTotals {
  /** Sum over all accounts: anything but zero is a fault. */
  readonly sumNanos: bigint;
  /** By how much advertisers' balances are below zero, together: what was shown beyond their money, or taken back since. */
  readonly overdrawnNanos: bigint;
}

/** The books. Errors: `unavailable`. */
export interface LedgerStore {
  recordDeposit(deposit: Deposit): Promise<BookingOutcome>;
  recordAdjustment(adjustment: Adjustment): Promise<BookingOutcome>;
  /** Every account that has entries, the platform's and the deposits', and at zero those that are named. */
  balances(named: {
    readonly advertiserIds: readonly string[];
    readonly publisherIds: readonly string[];
  }): Promise<readonly AccountBalance[]>;
  totals(): Promise<LedgerTotals>;
}
