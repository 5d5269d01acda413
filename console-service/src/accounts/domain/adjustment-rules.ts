import { parseAmount, type Nanos } from '@placard/service-kit/pure';
import type { OwnedAccount } from './account-name.js';

/** A correction of an account: a new booking against the platform's account. */
export interface Adjustment {
  /** Makes it idempotent; adjustments and deposits each have their own references. */
  readonly reference: string;
  readonly account: OwnedAccount;
  /** Not zero; above it the account has more. */
  readonly amountNanos: bigint;
  readonly reason: string;
}

/** Largest single adjustment, either way: 1,000,000,000 units, like a deposit. */
const ADJUSTMENT_NANOS_MAX: Nanos = 1_000_000_000_000_000_000n;

/** Why an amount is refused, or the amount in nano-units. */
export function readAdjustmentAmount(text: string): { readonly nanos: Nanos } | { readonly fault: string } {
  const nanos = parseAmount(text);
  if (nanos === null)
    return { fault: `amount ${text} is not a decimal with at most 9 decimals, such as -12.50` };
  if (nanos === 0n) return { fault: 'the amount is zero' };
  if (nanos > ADJUSTMENT_NANOS_MAX || nanos < -ADJUSTMENT_NANOS_MAX)
    return { fault: `amount ${text} is beyond 1,000,000,000` };
  return { nanos };
}
