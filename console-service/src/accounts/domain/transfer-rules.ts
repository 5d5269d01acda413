import type { OwnedAccount } from './account-name.js';

/** A publisher gets a payout, an advertiser a refund. */
export type TransferKind = 'payout' | 'refund';

/** Money that leaves the installation. */
export interface Transfer {
  readonly kind: TransferKind;
  /** Makes it idempotent. A payout and a refund may have the same reference. */
  readonly reference: string;
  /** The publisher of a payout, the advertiser of a refund. */
  readonly account: OwnedAccount;
  /** Above zero. */
  readonly amountNanos: bigint;
}

/** Whose account a transfer lowers. */
export function ownerOfTransfer(kind: TransferKind): OwnedAccount['kind'] {
  return kind === 'payout' ? 'publisher' : 'advertiser';
}
