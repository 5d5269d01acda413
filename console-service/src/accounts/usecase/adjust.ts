import { appError } from '@placard/service-kit';
import { formatNanos, plainKey, type Clock } from '@placard/service-kit/pure';
import { accountText, readAccountName, type OwnedAccount } from '../domain/account-name.js';
import { readAdjustmentAmount, type Adjustment } from '../domain/adjustment-rules.js';
import { FUNDS_NANOS_MAX, isOpeningReference } from '../domain/deposit-rules.js';
import { readTyped } from '../domain/typed-text.js';
import type { CatalogStore, CatalogTransaction } from '../../catalog/store/catalog-store.js';

/** An adjustment that an operator requests. */
export interface AdjustRequest {
  /** `advertiser:adv_x` or `publisher:pub_x`. */
  readonly account: string;
  /** Decimal text in the account currency. Below zero it lowers the balance. */
  readonly amount: string;
  readonly reference: string;
  readonly reason: string;
  readonly actor: string;
}

/**
 * Corrects an account once per reference; `isNew` is false when the same was booked before. It also changes the funds of an
 * advertiser, even to less than is spent already. An owner that was removed from the catalog still has an account. Errors:
 * `invalid_argument` (account, amount, reference, reason), `conflict` (reference used for another account or amount).
 */
export type Adjust = (request: AdjustRequest) => Promise<{ readonly isNew: boolean }>;

/** What {@link Adjust} needs. */
export interface AdjustDeps {
  readonly store: Pick<CatalogStore, 'inChange'>;
  readonly clock: Clock;
}

/** Makes {@link Adjust}. */
export function makeAdjust({ store, clock }: AdjustDeps): Adjust {
  return async ({ actor, ...request }) => {
    const adjustment = readAdjustment(request);
    return store.inChange(async (transaction) => {
      const before = await transaction.readAdjustment(adjustment.reference);
      if (before !== undefined) return again(before, adjustment);
      await refuseUnfit(transaction, adjustment);
      await transaction.adjust(adjustment, { actor, atMs: clock.now() });
      return { isNew: true };
    });
  };
}

function readAdjustment({ account, amount, reference, reason }: Omit<AdjustRequest, 'actor'>): Adjustment {
  const owned = readOwnedAccount(account);
  const read = readAdjustmentAmount(amount);
  if ('fault' in read) throw refusal(read.fault);
  const typed = readTyped('reference', reference);
  if ('fault' in typed) throw refusal(typed.fault);
  const typedReason = readTyped('reason', reason);
  if ('fault' in typedReason) throw refusal(typedReason.fault);
  if (isOpeningReference(typed.text))
    throw refusal('references that begin with opening: are reserved for opening balances');
  return { reference: typed.text, account: owned, amountNanos: read.nanos, reason: typedReason.text };
}

function readOwnedAccount(text: string): OwnedAccount {
  const typed = readTyped('account', text);
  if ('fault' in typed) throw refusal(typed.fault);
  const name = readAccountName(typed.text);
  if (name?.kind === 'advertiser' || name?.kind === 'publisher') return { kind: name.kind, id: name.id };
  throw refusal(`account ${text} is not of the form advertiser:ID or publisher:ID`);
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
    `Reference ${adjustment.reference} is booked already with ${formatNanos(before.amountNanos)} for ${accountText(before.account)}, reason "${before.reason}".`,
  );
}

async function refuseUnfit(transaction: CatalogTransaction, adjustment: Adjustment): Promise<void> {
  const { account, amountNanos } = adjustment;
  if (!(await transaction.wasEver(account))) throw refusal(`there is no ${account.kind} ${account.id}`);
  const size = amountNanos < 0n ? -amountNanos : amountNanos;
  if ((await transaction.readFundsTotal()) + size > FUNDS_NANOS_MAX)
    throw refusal('all deposits and adjustments together would be more than the books can hold');
}

function refusal(reason: string) {
  return appError('invalid_argument', `The adjustment is refused: ${reason}.`);
}
