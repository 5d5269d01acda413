import { appError } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';
import { isBookableText } from '../domain/bookable-text.js';
import type { Deposit, LedgerStore } from '../store/ledger.js';

const REFERENCE_CHARS_MAX = 256;

/**
 * Books a deposit once per reference; true: it is new. Errors: `invalid_argument`, `conflict` (the reference is
 * booked with another advertiser or amount), `unavailable`.
 */
export type RecordDeposit = (deposit: Omit<Deposit, 'atMs'>) => Promise<boolean>;

/** Makes {@link RecordDeposit}. */
export function makeRecordDeposit(store: Pick<LedgerStore, 'recordDeposit'>, clock: Clock): RecordDeposit {
  return async (deposit) => {
    const { advertiserId, amountNanos, reference } = deposit;
    if (amountNanos <= 0n) throw appError('invalid_argument', 'The amount of a deposit must be above zero.');
    if (!isBookableText(advertiserId, REFERENCE_CHARS_MAX))
      throw appError('invalid_argument', 'A deposit needs an advertiser.');
    if (!isBookableText(reference, REFERENCE_CHARS_MAX)) {
      throw appError(
        'invalid_argument',
        `A deposit needs a reference of 1 to ${REFERENCE_CHARS_MAX} characters, none a control character.`,
      );
    }
    const outcome = await store.recordDeposit({ ...deposit, atMs: clock.now() });
    if (outcome === 'other') {
      throw appError('conflict', 'The reference is booked already with another advertiser or amount.');
    }
    return outcome === 'new';
  };
}
