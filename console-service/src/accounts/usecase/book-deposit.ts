import { appError } from '@placard/service-kit';
import { asAdvertiserId, type Clock } from '@placard/service-kit/pure';
import {
  FUNDS_NANOS_MAX,
  isOpeningReference,
  readDepositAmount,
  type Deposit,
} from '../domain/deposit-rules.js';
import { moneyText } from '../domain/money-text.js';
import { readTyped } from '../domain/typed-text.js';
import type { CatalogStore, CatalogTransaction } from '../../catalog/store/catalog-store.js';

/** A deposit that an operator requests for an advertiser. */
export interface DepositRequest {
  /** `adv_x` or `advertiser:adv_x`. */
  readonly advertiserId: string;
  /** Decimal text in the account currency. */
  readonly amount: string;
  readonly reference: string;
  readonly actor: string;
}

/**
 * Credits an advertiser once per reference; `isNew` is false when the same was credited before. Errors:
 * `invalid_argument` (unknown advertiser, amount, reference), `conflict` (reference used for something else). A refused
 * deposit leaves its reference free.
 */
export type BookDeposit = (request: DepositRequest) => Promise<{ readonly isNew: boolean }>;

/** What {@link BookDeposit} needs. */
export interface BookDepositDeps {
  readonly store: Pick<CatalogStore, 'inChange'>;
  readonly clock: Clock;
  /** ISO 4217, of all amounts. */
  readonly currency: string;
}

/** Makes {@link BookDeposit}. */
export function makeBookDeposit({ store, clock, currency }: BookDepositDeps): BookDeposit {
  return async ({ actor, ...request }) => {
    const deposit = readDeposit(request);
    return store.inChange(async (transaction) => {
      const before = await transaction.readDeposit(deposit.reference);
      if (before !== undefined) return again(before, deposit, currency);
      await refuseUnfit(transaction, deposit);
      await transaction.publish({ changes: [], deposits: [deposit], actor, atMs: clock.now() });
      return { isNew: true };
    });
  };
}

function readDeposit({ advertiserId, amount, reference }: Omit<DepositRequest, 'actor'>): Deposit {
  const read = readDepositAmount(amount);
  if ('fault' in read) throw refusal(read.fault);
  const advertiser = readTyped('advertiser', advertiserId.replace(/^advertiser:/, ''));
  if ('fault' in advertiser) throw refusal(advertiser.fault);
  const typed = readTyped('reference', reference);
  if ('fault' in typed) throw refusal(typed.fault);
  return { reference: typed.text, advertiserId: asAdvertiserId(advertiser.text), amountNanos: read.nanos };
}

function again(before: Deposit, deposit: Deposit, currency: string): { readonly isNew: boolean } {
  const isSame = before.advertiserId === deposit.advertiserId && before.amountNanos === deposit.amountNanos;
  if (isSame) return { isNew: false };
  throw appError(
    'conflict',
    `Reference ${deposit.reference} is booked already with ${moneyText(before.amountNanos, currency)} for ${before.advertiserId}. Choose another reference for another deposit.`,
  );
}

async function refuseUnfit(transaction: CatalogTransaction, deposit: Deposit): Promise<void> {
  const { advertiserId, reference } = deposit;
  if (isOpeningReference(reference))
    throw refusal('references that begin with opening: are reserved for opening balances');
  const found = await transaction.readNamed([{ kind: 'advertiser', id: advertiserId }], []);
  if (found.length === 0) throw refusal(`there is no advertiser ${advertiserId}`);
  const total = (await transaction.readFundsTotal()) + deposit.amountNanos;
  if (total > FUNDS_NANOS_MAX)
    throw refusal('all deposits and adjustments together would be more than the books can hold');
}

function refusal(reason: string) {
  return appError('invalid_argument', `The deposit is refused: ${reason}.`);
}
