import type { AccountKind } from '../domain/settlement.js';

/** Money that an advertiser paid in. */
export interface Deposit {
  readonly advertiserId: string;
  /** Above zero. */
  readonly amountNanos: bigint;
  /** Unique among deposits. */
  readonly reference: string;
  /** Epoch ms. */
  readonly atMs: number;
}

/** `new`: booked now; `same`: booked before, the same; `other`: the reference stands for another advertiser or amount. */
export type DepositOutcome = 'new' | 'same' | 'other';

/** What an account has. */
export interface AccountBalance {
  readonly kind: AccountKind;
  readonly id: string;
  readonly balanceNanos: bigint;
}

/** The books. Errors: `unavailable`. */
export interface LedgerStore {
  recordDeposit(deposit: Deposit): Promise<DepositOutcome>;
  /** Every account that has entries, the platform's and the deposits', and at zero those that are named. */
  balances(named: {
    readonly advertiserIds: readonly string[];
    readonly publisherIds: readonly string[];
  }): Promise<readonly AccountBalance[]>;
  /** Sum over all accounts: anything but zero is a fault. */
  sum(): Promise<bigint>;
}
