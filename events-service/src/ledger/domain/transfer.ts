import type { OwnerId } from '@placard/service-kit/pure';
import type { LedgerEntry } from './ledger-entry.js';

/** What a transfer is called: a publisher gets a payout, an advertiser a refund. */
export type TransferKind = 'payout' | 'refund';

/** The kind of booking of a transfer to an account. */
export function transferKind(accountKind: 'advertiser' | 'publisher'): TransferKind {
  return accountKind === 'publisher' ? 'payout' : 'refund';
}

/**
 * The two entries of a payout or refund, the account's first: the payouts account gets the opposite amount.
 * Contract: docs/contract/money.md#ledger.
 */
export function toTransferEntries(transfer: {
  readonly reference: string;
  readonly accountKind: 'advertiser' | 'publisher';
  readonly accountId: OwnerId;
  /** Above zero. */
  readonly amountNanos: bigint;
  /** UTC day since 1970. */
  readonly day: number;
}): readonly [LedgerEntry, LedgerEntry] {
  const { reference: transactionId, accountKind, accountId, amountNanos, day } = transfer;
  return [
    { transactionId, day, accountKind, accountId, amountNanos: -amountNanos },
    { transactionId, day, accountKind: 'payouts', accountId: 'payouts', amountNanos },
  ];
}
