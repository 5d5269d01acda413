import { appError, toAppError } from '@placard/service-kit';
import { formatNanos, plainKey, type Clock } from '@placard/service-kit/pure';
import type { Ledger } from '../clients/ledger.js';
import { accountText } from '../domain/account-name.js';
import { adjustmentDoubt, readAdjustmentAmount, type Adjustment } from '../domain/adjustment-rules.js';
import { FUNDS_NANOS_MAX, isOpeningReference } from '../domain/deposit-rules.js';
import { readTyped } from '../domain/typed-text.js';
import type { CatalogStore, CatalogTransaction } from '../../catalog/store/catalog-store.js';
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
  readonly ledger: Pick<Ledger, 'balanceOf'>;
  readonly bookUnbooked: BookUnbooked;
  readonly clock: Clock;
}

/** Makes {@link Adjust}. */
export function makeAdjust(deps: AdjustDeps): Adjust {
  const { store, clock } = deps;
  return async ({ actor, isConfirmed, ...request }) => {
    const adjustment = await readAdjustment(store, request);
    const doubt = isConfirmed ? null : adjustmentDoubt(adjustment, await readBalance(deps, adjustment));
    return store.inChange(async (transaction) => {
      const before = await transaction.readAdjustment(adjustment.reference);
      if (before !== undefined) return again(before, adjustment);
      if (doubt !== null)
        throw appError(
          'failed_precondition',
          `${doubt}. If you want that, confirm it (--yes, confirm=true).`,
        );
      await refuseTooMuch(transaction, adjustment);
      await transaction.adjust(adjustment, { actor, atMs: clock.now() });
      return { isNew: true };
    });
  };
}

/** The balance of the account in nano-units. Null: it is not needed, or the ledger does not answer. */
async function readBalance(
  { ledger, bookUnbooked }: AdjustDeps,
  { account, amountNanos }: Adjustment,
): Promise<bigint | null> {
  if (amountNanos > 0n) return null;
  await bookUnbooked();
  try {
    return await ledger.balanceOf(account);
  } catch (error) {
    if (toAppError(error).code === 'unavailable') return null;
    throw error;
  }
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

function again(before: Adjustment, adjustment: Adjustment): { readonly isNew: boolean } {
  const isSame =
    before.account.kind === adjustment.account.kind &&
    before.account.id === adjustment.account.id &&
    before.amountNanos === adjustment.amountNanos &&
    plainKey(before.reason) === adjustment.reason;
  if (isSame) return { isNew: false };
  throw appError(
    'conflict',
    `Reference ${adjustment.reference} is booked already with ${formatNanos(before.amountNanos)} for ${accountText(before.account)}, reason "${before.reason}". Choose another reference for another adjustment.`,
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
