import { appError } from '@placard/service-kit';
import { formatNanos, type Clock } from '@placard/service-kit/pure';
import { isBookableText } from '../domain/bookable-text.js';
import { transferKind } from '../domain/transfer.js';
import type { LedgerStore, Transfer } from '../store/ledger.js';

const TEXT_CHARS_MAX = 256;

/**
 * Books a payout or refund once per reference; true: it is new. Errors: `invalid_argument`, `conflict` (the reference is
 * booked with another account or amount), `failed_precondition` (the account has less, or leases hold a part of it),
 * `deadline_exceeded` (nobody waits for the answer any more), `unavailable`. `deadlineAtMs`: until when the caller waits.
 */
export type RecordTransfer = (transfer: Omit<Transfer, 'atMs'>, deadlineAtMs: number) => Promise<boolean>;

/** Makes {@link RecordTransfer}. Contract: docs/contract/money.md#payouts-and-refunds. */
export function makeRecordTransfer(store: Pick<LedgerStore, 'recordTransfer'>, clock: Clock): RecordTransfer {
  return async (transfer, deadlineAtMs) => {
    const { accountKind, accountId, amountNanos, reference } = transfer;
    const what = transferKind(accountKind);
    if (amountNanos <= 0n) throw appError('invalid_argument', `The amount of a ${what} must be above zero.`);
    for (const [needed, text] of Object.entries({ 'an account': accountId, 'a reference': reference })) {
      if (isBookableText(text, TEXT_CHARS_MAX)) continue;
      throw appError(
        'invalid_argument',
        `A ${what} needs ${needed} of 1 to ${TEXT_CHARS_MAX} characters, none a control character.`,
      );
    }
    const isAwaited = (): boolean => clock.now() <= deadlineAtMs;
    const outcome = await store.recordTransfer({ ...transfer, atMs: clock.now() }, isAwaited);
    if (outcome.booked === 'late')
      throw appError('deadline_exceeded', `The ${what} came too late. Nothing is booked.`);
    if (outcome.booked === 'short') {
      const available = formatNanos(outcome.availableNanos);
      throw appError(
        'failed_precondition',
        accountKind === 'publisher'
          ? `The balance of publisher ${accountId} is ${available}.`
          : `Advertiser ${accountId} has ${available} that no open ad holds.`,
      );
    }
    if (outcome.booked === 'other')
      throw appError('conflict', 'The reference is booked already with another account or amount.');
    return outcome.booked === 'new';
  };
}
