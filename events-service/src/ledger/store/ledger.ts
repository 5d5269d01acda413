import type { AccountId, AdvertiserId, OwnerId, PublisherId } from '@placard/service-kit/pure';
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
  readonly accountId: OwnerId;
  /** Above zero: the account's balance rises and the platform's falls. Not zero. */
  readonly amountNanos: bigint;
  /** Unique among adjustments. */
  readonly reference: string;
  readonly reason: string;
  /** Epoch ms. */
  readonly atMs: number;
}

/** Money that leaves: a payout to a publisher or a refund to an advertiser. */
export interface Transfer {
  readonly accountKind: 'advertiser' | 'publisher';
  readonly accountId: OwnerId;
  /** Above zero. */
  readonly amountNanos: bigint;
  /** Unique among payouts, or among refunds. */
  readonly reference: string;
  /** Epoch ms. */
  readonly atMs: number;
}

/** `new`: booked now; `same`: the same was booked before; `other`: the reference is booked for another account or amount. */
export type BookingOutcome = 'new' | 'same' | 'other';

/**
 * `short`: nothing is booked, because the account has only `availableNanos` that nobody holds; it may be below zero. `late`:
 * nothing is booked, because nobody waits for it any more.
 */
export type TransferOutcome =
  | { readonly booked: BookingOutcome | 'late' }
  | { readonly booked: 'short'; readonly availableNanos: bigint };

/** The balance of an account. */
export interface AccountBalance {
  readonly kind: AccountKind;
  readonly id: AccountId;
  readonly balanceNanos: bigint;
}

/** The state of the books in two figures. */
export interface LedgerTotals {
  /** Sum over all accounts: anything but zero is a fault. */
  readonly sumNanos: bigint;
  /** Advertisers' balances below zero in sum, as a positive amount: overspent, or taken back by later adjustments. */
  readonly overdrawnNanos: bigint;
}

/** The books. Errors: `unavailable`. */
export interface LedgerStore {
  recordDeposit(deposit: Deposit): Promise<BookingOutcome>;
  recordAdjustment(adjustment: Adjustment): Promise<BookingOutcome>;
  /**
   * Of an advertiser's balance, only what no open lease holds can be transferred. Grants of leases see the transfer at once,
   * so nothing is sold from it. `isAwaited` is asked once the transfer has its reference: a caller that does not wait any more
   * asks again, and may get a refusal, so the transfer must not be booked afterwards. Design:
   * docs/money.md#payouts-and-refunds.
   */
  recordTransfer(transfer: Transfer, isAwaited: () => boolean): Promise<TransferOutcome>;
  /** Every account with entries, the accounts without an owner, and at zero the named accounts without entries. */
  balances(named: {
    readonly advertiserIds: readonly AdvertiserId[];
    readonly publisherIds: readonly PublisherId[];
  }): Promise<readonly AccountBalance[]>;
  totals(): Promise<LedgerTotals>;
}
