import { defaultsOf, type Fields, type StoredObject } from '../domain/catalog-object.js';
import type { ObjectKind } from '../domain/kinds.js';
import type { CatalogRow } from '../domain/catalog-object.js';
import type { OwnedAccount } from '../../accounts/domain/account-name.js';
import type { Adjustment } from '../../accounts/domain/adjustment-rules.js';
import type { Deposit } from '../../accounts/domain/deposit-rules.js';

/** A row of `catalog.objects`. */
export interface ObjectRow {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly parent_id: string | null;
  readonly fields: Fields;
}

/** A row of what changed. */
export interface ChangeRow extends ObjectRow {
  readonly version: bigint;
  readonly removed: boolean;
  readonly funded_nanos: bigint;
}

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

/** A stored object; a field that a later release has added has its default. */
export function fromObjectRow(row: ObjectRow): StoredObject {
  const fields = { ...defaultsOf(row.kind), ...row.fields };
  return { kind: row.kind, id: row.id, parentId: row.parent_id, fields };
}

/** An object as readers are told of it. */
export function fromChangeRow(row: ChangeRow): CatalogRow {
  return {
    ...fromObjectRow(row),
    version: Number(row.version),
    isRemoved: row.removed,
    fundedNanos: row.funded_nanos,
  };
}

/** A deposit. */
export function fromDepositRow(row: DepositRow): Deposit {
  return { reference: row.reference, advertiserId: row.advertiser_id, amountNanos: row.amount_nanos };
}

/** An adjustment. */
export function fromAdjustmentRow(row: AdjustmentRow): Adjustment {
  return {
    reference: row.reference,
    account: { kind: row.account_kind, id: row.account_id },
    amountNanos: row.amount_nanos,
    reason: row.reason,
  };
}
