import { appError, toAppError, type Logger } from '@placard/service-kit';
import { plainKey, type Clock } from '@placard/service-kit/pure';
import type { Ledger } from '../clients/ledger.js';
import { accountText } from '../domain/account-name.js';
import { adjustmentDoubt, readAdjustmentAmount, type Adjustment } from '../domain/adjustment-rules.js';
import { FUNDS_NANOS_MAX, isOpeningReference } from '../domain/deposit-rules.js';
import { moneyText } from '../domain/money-text.js';
import { readTyped } from '../domain/typed-text.js';
import type { CatalogStore, CatalogTransaction } from '../../catalog/store/catalog-store.js';
import { makeBookGiven } from './book-funds.js';
import type { BookUnbooked } from './book-unbooked.js';
import { findOwnedAccount } from './find-account.js';

/** An adjustment that an operator requests. */
export interface AdjustRequest {
  /** `advertiser:adv_x`, `publisher:pub_x` or the id alone. */
  readonly account: string;
  /** Decimal text in the account currency. Below zero it lowers the balance. */
  readonly amount: string;
  readonly reference: string;
  readonly reason: string;
  /** True: it may be large, and it may make a balance negative. */
  readonly isConfirmed: boolean;
  readonly actor: string;
}

/**
 * Corrects an account once per reference; `isNew` is false when the same was booked before. It also changes the funds of an
 * advertiser, even to less than is spent already. An owner that was removed from the catalog still has an account. Errors:
 * `invalid_argument` (account, amount, reference, reason), `conflict` (reference used for another account or amount),
 * `failed_precondition` (it needs a confirmation).
 */
export type Adjust = (request: AdjustRequest) => Promise<{ readonly isNew: boolean }>;

/** What {@link Adjust} needs. */
export interface AdjustDeps {
  readonly store: Pick<CatalogStore, 'inChange' | 'ownersOf'>;
  readonly ledger: Pick<Ledger, 'balanceOf' | 'recordDeposit' | 'recordAdjustment'>;
  readonly bookUnbooked: BookUnbooked;
  readonly clock: Clock;
  readonly log: Logger;
  /** ISO 4217, of all amounts. */
  readonly currency: string;
}

/** Makes {@link Adjust}. */
export function makeAdjust(deps: AdjustDeps): Adjust {
  const { store, clock, currency } = deps;
  return async ({ actor, isConfirmed, ...request }) => {
    const adjustment = await readAdjustment(store, request);
    const isBalanceAsked = !isConfirmed && adjustment.amountNanos < 0n;
    // Most is booked before the change, which locks the catalog. It asks only a ledger that answers.
    const isBalanceKnown = isBalanceAsked && (await deps.bookUnbooked());
    return store.inChange(async (transaction) => {
      const before = await transaction.readAdjustment(adjustment.reference);
      if (before !== undefined) return again(before, adjustment, currency);
      if (!isConfirmed) {
        const balanceNanos = isBalanceKnown ? await readBalance(deps, transaction, adjustment) : null;
        refuseDoubtful(adjustment, balanceNanos, currency);
      }
      await refuseTooMuch(transaction, adjustment);
      await transaction.adjust(adjustment, { actor, atMs: clock.now() });
      return { isNew: true };
    });
  };
}

/**
 * The balance of the account in nano-units, with all deposits and adjustments before this one: it books those that still wait.
 * Null: the ledger does not answer.
 */
async function readBalance(
  { ledger, clock, log }: AdjustDeps,
  { funds }: CatalogTransaction,
  { account }: Adjustment,
): Promise<bigint | null> {
  try {
    const isDone = await makeBookGiven({ book: funds, ledger, clock, log })();
    return isDone ? await ledger.balanceOf(account) : null;
  } catch (error) {
    if (toAppError(error).code === 'unavailable') return null;
    throw error;
  }
}

function refuseDoubtful(adjustment: Adjustment, balanceNanos: bigint | null, currency: string): void {
  const doubt = adjustmentDoubt(adjustment, balanceNanos, currency);
  if (doubt === null) return;
  throw appError('failed_precondition', `${doubt}. If you want that, confirm it (--yes, confirm=true).`);
}

async function readAdjustment(
  store: AdjustDeps['store'],
  { account, amount, reference, reason }: Omit<AdjustRequest, 'actor' | 'isConfirmed'>,
): Promise<Adjustment> {
  const read = readAdjustmentAmount(amount);
  if ('fault' in read) throw refusal(read.fault);
  const typed = readTyped('reference', reference);
  if ('fault' in typed) throw refusal(typed.fault);
  const typedReason = readTyped('reason', reason);
  if ('fault' in typedReason) throw refusal(typedReason.fault);
  if (isOpeningReference(typed.text))
    throw refusal('references that begin with opening: are reserved for opening balances');
  const owned = await findOwnedAccount(store, account, refusal);
  return { reference: typed.text, account: owned, amountNanos: read.nanos, reason: typedReason.text };
}

function again(before: Adjustment, adjustment: Adjustment, currency: string): { readonly isNew: boolean } {
  const isSame =
    before.account.kind === adjustment.account.kind &&
    before.account.id === adjustment.account.id &&
    before.amountNanos === adjustment.amountNanos &&
    plainKey(before.reason) === adjustment.reason;
  if (isSame) return { isNew: false };
  throw appError(
    'conflict',
    `Reference ${adjustment.reference} is booked already with ${moneyText(before.amountNanos, currency)} for ${accountText(before.account)}, reason "${before.reason}". Choose another reference for another adjustment.`,
  );
}

async function refuseTooMuch(
  transaction: CatalogTransaction,
  { account, amountNanos }: Adjustment,
): Promise<void> {
  const size = amountNanos < 0n ? -amountNanos : amountNanos;
  if ((await transaction.readFundsTotal()) + size <= FUNDS_NANOS_MAX) return;
  const wayOut =
    account.kind === 'advertiser' && amountNanos < 0n
      ? '. Take a wrong deposit back with `advertiser refund`, which does not count towards that limit'
      : '';
  throw refusal(`all deposits and adjustments together would be more than the books can hold${wayOut}`);
}

function refusal(reason: string) {
  return appError('invalid_argument', `The adjustment is refused: ${reason}.`);
}
