import type { Nanos } from '@placard/service-kit/pure';
import { accountText, type OwnedAccount } from './account-name.js';
import { moneyText } from './money-text.js';
import { readGivenAmount } from '../../domain/given-amount.js';

/** A correction of an account: a new booking against the platform's account. */
export interface Adjustment {
  /** Makes it idempotent. An adjustment and a deposit may have the same reference. */
  readonly reference: string;
  readonly account: OwnedAccount;
  /** Not zero. Above zero it raises the balance of the account. */
  readonly amountNanos: bigint;
  readonly reason: string;
}

/** Largest absolute amount of an adjustment: 1,000,000,000 units, like a deposit. */
const ADJUSTMENT_NANOS_MAX: Nanos = 1_000_000_000_000_000_000n;

/** Reads an amount: nano-units, or the reason why it is refused. */
export function readAdjustmentAmount(text: string): { readonly nanos: Nanos } | { readonly fault: string } {
  const nanos = readGivenAmount(text);
  if (nanos === null)
    return { fault: `amount ${text} is not a decimal with at most 9 decimals, such as -12.50` };
  if (nanos === 0n) return { fault: 'the amount is zero' };
  if (nanos > ADJUSTMENT_NANOS_MAX || nanos < -ADJUSTMENT_NANOS_MAX)
    return { fault: `amount ${text} is too large: at most 1,000,000,000 either way` };
  return { nanos };
}

/** An adjustment beyond this needs a confirmation: 1,000 units. */
const UNCONFIRMED_NANOS_MAX: Nanos = 1_000_000_000_000n;

/**
 * Why an adjustment needs a confirmation: it is large, or the balance is below zero afterwards; null: it needs none.
 * `balanceNanos`: of the account, null when it is not known. It is looked at when the amount is below zero. `currency`: ISO
 * 4217.
 */
export function adjustmentDoubt(
  { account, amountNanos }: Pick<Adjustment, 'account' | 'amountNanos'>,
  balanceNanos: Nanos | null,
  currency: string,
): string | null {
  const name = accountText(account);
  if (amountNanos > UNCONFIRMED_NANOS_MAX || amountNanos < -UNCONFIRMED_NANOS_MAX)
    return `The adjustment moves more than 1,000 ${currency}: ${moneyText(amountNanos, currency)} for ${name}`;
  if (amountNanos > 0n) return null;
  if (balanceNanos === null) return `The balance of ${name} cannot be read now`;
  if (balanceNanos + amountNanos >= 0n) return null;
  return `The adjustment leaves ${name} with ${moneyText(balanceNanos + amountNanos, currency)}`;
}
