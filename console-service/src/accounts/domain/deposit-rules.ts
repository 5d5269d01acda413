import type { AdvertiserId, Nanos } from '@placard/service-kit/pure';
import type { OwnedAccount } from './account-name.js';
import { readGivenAmount } from '../../domain/given-amount.js';

/** Money that an advertiser pays in. */
export interface Deposit {
  /** Makes it idempotent; `opening:<advertiser id>` is the opening balance. */
  readonly reference: string;
  readonly advertiserId: AdvertiserId;
  /** Above zero. */
  readonly amountNanos: bigint;
}

/** All deposits and adjustments of an account in sum, in nano-units. */
export interface AccountFunds extends OwnedAccount {
  readonly nanos: bigint;
}

/**
 * Bound of the sum of the absolute amounts of all deposits and adjustments. It keeps funds and balances within 64 bits
 * (9.2e18) in any order of the bookings.
 */
export const FUNDS_NANOS_MAX: Nanos = 9_000_000_000_000_000_000n;
/** Largest single deposit: 1,000,000,000 units. Contract: docs/catalog-file.md#how-values-are-written. */
const DEPOSIT_NANOS_MAX: Nanos = 1_000_000_000_000_000_000n;
const OPENING_PREFIX = 'opening:';

/** The reference of an advertiser's opening balance. */
export function openingReference(advertiserId: AdvertiserId): string {
  return `${OPENING_PREFIX}${advertiserId}`;
}

/** Whether a reference is reserved for opening balances. */
export function isOpeningReference(reference: string): boolean {
  return reference.startsWith(OPENING_PREFIX);
}

/**
 * Reads an amount: nano-units, or the reason why it is refused.
 * Contract: docs/contract/operator-interface.md#repeated-deposits.
 */
export function readDepositAmount(text: string): { readonly nanos: Nanos } | { readonly fault: string } {
  const nanos = readGivenAmount(text);
  if (nanos === null)
    return { fault: `amount ${text} is not a decimal with at most 9 decimals, such as 250.00` };
  if (nanos <= 0n) return { fault: `amount ${text} is not above zero` };
  if (nanos > DEPOSIT_NANOS_MAX) return { fault: `amount ${text} is too large: at most 1,000,000,000` };
  return { nanos };
}
