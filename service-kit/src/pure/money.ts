/**
 * An amount in nano-units of the account currency (1e-9). May be negative in ledger entries.
 * Contract: docs/contract/money.md#unit.
 */
export type Nanos = bigint;

/** Most decimals of an amount in the account currency. */
export const AMOUNT_DECIMALS_MAX = 9;

const NANOS_PER_UNIT = 1_000_000_000n;
const BASIS_POINTS = 10_000n;
const DECIMAL = /^(-?)(\d{1,18})(?:\.(\d{1,9}))?$/;

/**
 * Reads a decimal amount of the account currency, such as `2.50`.
 *
 * Null: the text is not a number with at most `decimalsMax` decimals (trailing zeros included). Nothing is rounded, and
 * no binary fraction is involved.
 */
export function parseAmount(text: string, decimalsMax: number = AMOUNT_DECIMALS_MAX): Nanos | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '0', fraction = ''] = match;
  if (fraction.length > decimalsMax) return null;
  const nanos = BigInt(whole) * NANOS_PER_UNIT + BigInt(fraction.padEnd(AMOUNT_DECIMALS_MAX, '0'));
  return sign === '-' ? -nanos : nanos;
}

/** Writes an amount in the account currency with nine decimals, such as `499.997500000`. */
export function formatNanos(nanos: Nanos): string {
  const size = nanos < 0n ? -nanos : nanos;
  const whole = size / NANOS_PER_UNIT;
  const fraction = (size % NANOS_PER_UNIT).toString().padStart(AMOUNT_DECIMALS_MAX, '0');
  return `${nanos < 0n ? '-' : ''}${whole.toString()}.${fraction}`;
}

/** The two parts of an impression's price. Their sum is the price. */
export interface RevenueSplit {
  readonly publisherNanos: Nanos;
  readonly platformNanos: Nanos;
}

/**
 * Splits a price by the publisher's share in basis points (0..10000). The publisher's part is rounded down to the
 * nano-unit; the platform gets the remainder. Contract: docs/contract/money.md#publisher-share.
 */
export function splitRevenue(costNanos: Nanos, shareBp: number): RevenueSplit {
  const publisherNanos = (costNanos * BigInt(shareBp)) / BASIS_POINTS;
  return { publisherNanos, platformNanos: costNanos - publisherNanos };
}
