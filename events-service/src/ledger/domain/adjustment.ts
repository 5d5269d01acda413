import type { OwnerId } from '@placard/service-kit/pure';
import type { LedgerEntry } from './ledger-entry.js';

/**
 * The two entries of a correction, the account's first: the platform's account gets the opposite amount.
 * Contract: docs/contract/money.md#ledger.
 */
export function toAdjustmentEntries(adjustment: {
  readonly reference: string;
  readonly accountKind: 'advertiser' | 'publisher';
  readonly accountId: OwnerId;
  readonly amountNanos: bigint;
  /** UTC day since 1970. */
  readonly day: number;
}): readonly [LedgerEntry, LedgerEntry] {
  const { reference: transactionId, accountKind, accountId, amountNanos, day } = adjustment;
  return [
    { transactionId, day, accountKind, accountId, amountNanos },
    { transactionId, day, accountKind: 'platform', accountId: 'platform', amountNanos: -amountNanos },
  ];
}
