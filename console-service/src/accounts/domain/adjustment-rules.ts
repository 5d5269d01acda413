import { parseAmount, type Nanos } from '@placard/service-kit/pure';
import type { OwnedAccount } from './account-name.js';

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
  const nanos = parseAmount(text);
  if (nanos === null)
    return { fault: `amount ${text} is not a decimal with at most 9 decimals, such as -12.50` };
  if (nanos === 0n) return { fault: 'the amount is zero' };
  if (nanos > ADJUSTMENT_NANOS_MAX || nanos < -ADJUSTMENT_NANOS_MAX)
    return { fault: `amount ${text} is beyond 1,000,000,000` };
  return { nanos };
}
