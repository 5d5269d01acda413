import { appError, toAppError } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';
import type { CatalogStore } from '../../catalog/store/catalog-store.js';
import { readDepositAmount } from '../domain/deposit-rules.js';
import { moneyText } from '../domain/money-text.js';
import { ownerOfTransfer, type Transfer, type TransferKind } from '../domain/transfer-rules.js';
import { readTyped } from '../domain/typed-text.js';
import type { TransferStore } from '../store/transfers.js';
import type { BookTransfer } from './book-transfer.js';
import type { BookUnbooked } from './book-unbooked.js';
import { findOwnedAccount } from './find-account.js';

/** A payout or refund that an operator requests. */
export interface TransferOrder {
  readonly kind: TransferKind;
  /** `publisher:pub_x` or `pub_x` for a payout, `advertiser:adv_x` or `adv_x` for a refund. */
  readonly account: string;
  /** Decimal text in the account currency. */
  readonly amount: string;
  readonly reference: string;
  readonly actor: string;
}

/**
 * Pays a publisher, or gives an advertiser money back, once per kind and reference. `isNew` is true for the one request that
 * has stored the order, and false for all others with the same order, also when its own outcome is unknown. An owner that
 * was removed from the catalog still has an account. Errors: `invalid_argument` (unknown owner, amount, reference),
 * `conflict` (reference used for another account or amount), `failed_precondition` (the account has less; the reference
 * stays free), `unavailable` (the outcome is unknown: the same request again gives it).
 */
export type MakeTransfer = (order: TransferOrder) => Promise<{ readonly isNew: boolean }>;

/** What {@link MakeTransfer} needs. */
export interface MakeTransferDeps {
  readonly store: Pick<CatalogStore, 'ownersOf'>;
  readonly transfers: Pick<TransferStore, 'read' | 'add'>;
  readonly bookTransfer: BookTransfer;
  readonly bookUnbooked: BookUnbooked;
  readonly clock: Clock;
  /** ISO 4217, of all amounts. */
  readonly currency: string;
}

/** Makes {@link MakeTransfer}. Contract: docs/contract/money.md#payouts-and-refunds. */
export function makeMakeTransfer(deps: MakeTransferDeps): MakeTransfer {
  const { store, transfers, bookUnbooked, clock, currency } = deps;
  return async ({ actor, ...order }) => {
    const transfer = await readTransfer(store, order);
    const { kind, reference } = transfer;
    // The ledger judges it by the balance, so what was given and taken before it must be booked.
    await bookUnbooked();
    let before = await transfers.read(kind, reference);
    const isNew = before === undefined && (await transfers.add({ transfer, actor, atMs: clock.now() }));
    if (!isNew) {
      // Somebody else may have used the reference at this moment. Then the stored transfer decides.
      before ??= await transfers.read(kind, reference);
      refuseOther(transfer, before?.transfer, currency);
      if (before?.isBooked === true) return { isNew };
    }
    await book(deps, transfer);
    return { isNew };
  };
}

async function readTransfer(
  store: MakeTransferDeps['store'],
  { kind, account, amount, reference }: Omit<TransferOrder, 'actor'>,
): Promise<Transfer> {
  const refuse = (reason: string) => appError('invalid_argument', `The ${kind} is refused: ${reason}.`);
  const read = readDepositAmount(amount);
  if ('fault' in read) throw refuse(read.fault);
  const typed = readTyped('reference', reference);
  if ('fault' in typed) throw refuse(typed.fault);
  const owned = await findOwnedAccount(store, account, refuse, ownerOfTransfer(kind));
  return { kind, reference: typed.text, account: owned, amountNanos: read.nanos };
}

/** Throws `conflict` when the reference stands for another transfer. */
function refuseOther(
  { kind, account, amountNanos, reference }: Transfer,
  before: Transfer | undefined,
  currency: string,
): void {
  if (before === undefined) return;
  if (before.account.id === account.id && before.amountNanos === amountNanos) return;
  throw appError(
    'conflict',
    `Reference ${reference} is used already with ${moneyText(before.amountNanos, currency)} for ${before.account.id}. Choose another reference for another ${kind}.`,
  );
}

async function book({ bookTransfer, currency }: MakeTransferDeps, transfer: Transfer): Promise<void> {
  const { kind, reference, amountNanos } = transfer;
  const reason = await bookTransfer(transfer).catch((thrown: unknown) => {
    throw appError(
      'unavailable',
      `The ${kind} ${reference} is stored, and the ledger does not answer: it is booked when the ledger answers and the ` +
        'account has enough. Ask for the same again to learn whether it is booked.',
      { cause: toAppError(thrown) },
    );
  });
  if (reason !== null) {
    const amount = moneyText(amountNanos, currency);
    throw appError('failed_precondition', `The ${kind} of ${amount} is refused: ${reason}`);
  }
}
