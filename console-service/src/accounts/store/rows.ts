import { asAdvertiserId, asOwnerId } from '@placard/service-kit/pure';
import type { OwnedAccount } from '../domain/account-name.js';
import type { Adjustment } from '../domain/adjustment-rules.js';
import type { Deposit } from '../domain/deposit-rules.js';
import { ownerOfTransfer, type Transfer, type TransferKind } from '../domain/transfer-rules.js';

/** A row of `accounts.deposits`. */
export interface DepositRow {
  readonly reference: string;
  readonly advertiser_id: string;
  readonly amount_nanos: bigint;
}

/** A row of `accounts.adjustments`. */
export interface AdjustmentRow {
  readonly reference: string;
  readonly account_kind: OwnedAccount['kind'];
  readonly account_id: string;
  readonly amount_nanos: bigint;
  readonly reason: string;
}

/** A deposit. */
export function fromDepositRow(row: DepositRow): Deposit {
  return {
    reference: row.reference,
    advertiserId: asAdvertiserId(row.advertiser_id),
    amountNanos: row.amount_nanos,
  };
}

/** An adjustment. */
export function fromAdjustmentRow(row: AdjustmentRow): Adjustment {
  return {
    reference: row.reference,
    account: { kind: row.account_kind, id: asOwnerId(row.account_id) },
    amountNanos: row.amount_nanos,
    reason: row.reason,
  };
}

/** A row of `accounts.transfers`. */
export interface TransferRow {
  readonly kind: TransferKind;
  readonly reference: string;
  readonly account_id: string;
  readonly amount_nanos: bigint;
}

/** A payout or refund. */
export function fromTransferRow(row: TransferRow): Transfer {
  return {
    kind: row.kind,
    reference: row.reference,
    account: { kind: ownerOfTransfer(row.kind), id: asOwnerId(row.account_id) },
    amountNanos: row.amount_nanos,
  };
}
