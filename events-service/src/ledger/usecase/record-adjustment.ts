import { appError } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';
import { isBookableText } from '../domain/bookable-text.js';
import type { Adjustment, LedgerStore } from '../store/ledger.js';

const TEXT_CHARS_MAX = 1_024;

/**
 * Books a correction once per reference; true: it is new. Errors: `invalid_argument`, `conflict` (the reference is
 * booked with another account or amount), `unavailable`.
 */
export type RecordAdjustment = (adjustment: Omit<Adjustment, 'atMs'>) => Promise<boolean>;

/** Makes {@link RecordAdjustment}. */
export function makeRecordAdjustment(
  store: Pick<LedgerStore, 'recordAdjustment'>,
  clock: Clock,
): RecordAdjustment {
  return async (adjustment) => {
    if (adjustment.amountNanos === 0n)
      throw appError('invalid_argument', 'The amount of an adjustment must not be zero.');
    const { accountId, reference, reason } = adjustment;
    for (const [what, text] of Object.entries({
      'an account': accountId,
      'a reference': reference,
      'a reason': reason,
    })) {
      if (isBookableText(text, TEXT_CHARS_MAX)) continue;
      throw appError(
        'invalid_argument',
        `An adjustment needs ${what} of 1 to ${TEXT_CHARS_MAX} characters, none a control character.`,
      );
    }
    const outcome = await store.recordAdjustment({ ...adjustment, atMs: clock.now() });
    if (outcome === 'other') {
      throw appError('conflict', 'The reference is booked already with another account or amount.');
    }
    return outcome === 'new';
  };
}
