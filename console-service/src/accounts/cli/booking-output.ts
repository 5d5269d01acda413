import { toLines } from '../../cli/to-lines.js';
import type { Schemas } from '../../manage/domain/operations.js';
import { shownAmount } from './shown-amount.js';

/** A deposit, an adjustment, a payout or a refund that the instance has accepted. */
export interface AcceptedBooking {
  readonly what: 'credited' | 'adjusted' | 'paid' | 'refunded';
  /** As the operator typed it. */
  readonly account: string;
  readonly amount: string;
  readonly reference: string;
}

/** What a booking did, in one line. */
export function bookingText(
  { what, account, amount, reference }: AcceptedBooking,
  { is_new: isNew, currency }: Schemas['Booked'],
): string {
  const money = `${shownAmount(amount)} ${currency}`;
  const done = what === 'adjusted' ? `adjusted ${account} by ${money}` : `${what} ${money} to ${account}`;
  return toLines(
    isNew
      ? `${done} (reference ${reference})`
      : `reference ${reference} is booked already with this amount for ${account}; nothing to do`,
  );
}
