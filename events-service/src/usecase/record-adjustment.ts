import { appError } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';
import type { Adjustment, LedgerStore } from '../store/ledger.js';

const TEXT_CHARS_MAX = 1_024;

/**
 * Books a correction once per reference; answers whether it is new. Errors: `invalid_argument`, `conflict` (the reference is
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
      throw appError('invalid_argument', 'An adjustment must not be of zero.');
    if (!isText(adjustment.accountId)) throw appError('invalid_argument', 'An adjustment needs an account.');
    if (!isText(adjustment.reference)) throw appError('invalid_argument', 'An adjustment needs a reference.');
    if (!isText(adjustment.reason)) throw appError('invalid_argument', 'An adjustment needs a reason.');
    const outcome = await store.recordAdjustment({ ...adjustment, atMs: clock.now() });
    if (outcome === 'other') {
      throw appError('conflict', 'The reference is booked already with another account or amount.');
    }
    return outcome === 'new';
  };
}

/** Postgres takes no NUL in a text. */
function isText(text: string): boolean {
  return text !== '' && text.length <= TEXT_CHARS_MAX && !text.includes('\0');
}
