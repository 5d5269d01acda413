import { parseAmount, type Nanos } from '@placard/service-kit/pure';
import type { OwnedAccount } from './account-name.js';

/** Money that an advertiser pays in. */
export interface Deposit {
  /** Makes it idempotent; `opening:<advertiser id>` is the opening balance. */
  readonly reference: string;
  readonly advertiserId: string;
  /** Above zero. */
  readonly amountNanos: bigint;
}

/** What an account was given by deposits and adjustments all together, in nano-units. */
export interface AccountFunds extends OwnedAccount {
  readonly nanos: bigint;
}

/**
 * All deposits and adjustments together, each by its size, stay below this, so that what may be spent and what was given
 * never leave 64 bits (9.2e18), in whatever order they come.
 */
export const FUNDS_NANOS_MAX: Nanos = 9_000_000_000_000_000_000n;
/** Largest single deposit: 1,000,000,000 units. Specification: The catalog file, "What is refused". */
const DEPOSIT_NANOS_MAX: Nanos = 1_000_000_000_000_000_000n;
const REFERENCE_CHARS_MAX = 128;
const SURROUNDED = /^[\p{White_Space}\p{Cf}]|[\p{White_Space}\p{Cf}]$/u;
const OPENING_PREFIX = 'opening:';

/** The reference of an advertiser's opening balance. */
export function openingReference(advertiserId: string): string {
  return `${OPENING_PREFIX}${advertiserId}`;
}

/** Whether only an opening balance may take a reference. */
export function isOpeningReference(reference: string): boolean {
  return reference.startsWith(OPENING_PREFIX);
}

/** Why an amount is refused, or the amount in nano-units. Specification: What an operator types, "deposit". */
export function readDepositAmount(text: string): { readonly nanos: Nanos } | { readonly fault: string } {
  const nanos = parseAmount(text);
  if (nanos === null)
    return { fault: `amount ${text} is not a decimal with at most 9 decimals, such as 250.00` };
  if (nanos <= 0n) return { fault: `amount ${text} is not above zero` };
  if (nanos > DEPOSIT_NANOS_MAX) return { fault: `amount ${text} is over 1,000,000,000` };
  return { nanos };
}

/**
 * Why a reference is refused; null when it is fine. Two references that look the same must not be two bookings, hence no
 * white space and nothing invisible around it.
 */
export function referenceFault(reference: string): string | null {
  if (reference.trim() === '') return 'the reference is empty';
  if (Array.from(reference).length > REFERENCE_CHARS_MAX) {
    return `the reference has more than ${REFERENCE_CHARS_MAX} characters`;
  }
  if (/[\p{Cc}\p{Cs}]/u.test(reference)) return 'the reference holds control characters';
  return SURROUNDED.test(reference)
    ? 'the reference begins or ends with white space or an invisible character'
    : null;
}
