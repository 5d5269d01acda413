import type { AdvertiserId } from '@placard/service-kit/pure';
import type { LedgerEntry } from './ledger-entry.js';

/**
 * The two entries of a deposit, the advertiser's first: the deposits account gets the opposite amount.
 * Contract: docs/contract/money.md#ledger.
 */
export function toDepositEntries(deposit: {
  readonly reference: string;
  readonly advertiserId: AdvertiserId;
  readonly amountNanos: bigint;
  /** UTC day since 1970. */
  readonly day: number;
}): readonly [LedgerEntry, LedgerEntry] {
  const { reference: transactionId, advertiserId, amountNanos, day } = deposit;
  return [
    { transactionId, day, accountKind: 'advertiser', accountId: advertiserId, amountNanos },
    { transactionId, day, accountKind: 'deposits', accountId: 'deposits', amountNanos: -amountNanos },
  ];
}
