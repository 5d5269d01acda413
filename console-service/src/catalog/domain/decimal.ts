import { formatNanos, parseAmount, type Nanos } from '@placard/service-kit/pure';

/**
 * Most significant digits that survive a conversion to a binary fraction.
 * Contract: docs/catalog-file.md#how-values-are-written.
 */
export const NUMBER_DIGITS_MAX = 15;

/** Longest text that is read as a number. No value of a catalog is longer, and a longer text takes long to read. */
const NUMBER_CHARS_MAX = 100;
const NUMBER = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,3}))?$/;
const DECIMALS_SHOWN_MIN = 2;

/** Number of significant digits: without sign, leading and trailing zeros, and exponent. */
export function significantDigits(text: string): number {
  const [mantissa = ''] = text.split(/[eE]/);
  return mantissa
    .replace(/[^0-9]/g, '')
    .replace(/^0+/, '')
    .replace(/0+$/, '').length;
}

/** Converts a written number (`1e-06`, `.5`, `+2`) to plain decimal (`0.000001`, `0.5`, `2`); null: not a number. */
export function plainDecimal(text: string): string | null {
  const match = text.length > NUMBER_CHARS_MAX ? null : NUMBER.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  if (whole + fraction === '') return null;
  const shift = Number(exponent);
  if (shift === 0 && whole !== '') return `${minus(sign)}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  const digits = whole + fraction;
  const point = whole.length + shift;
  const padded = digits.padStart(digits.length + Math.max(0, 1 - point), '0');
  const at = Math.max(point, 1);
  const left = padded
    .slice(0, at)
    .padEnd(at, '0')
    .replace(/^0+(?=\d)/, '');
  const right = padded.slice(at).replace(/0+$/, '');
  return `${minus(sign)}${left}${right === '' ? '' : `.${right}`}`;
}

function minus(sign: string): string {
  return sign === '-' ? '-' : '';
}

/** The normalized spelling of a stored amount: at least two decimals and no more trailing zeros, such as `4.01`. */
export function amountText(nanos: Nanos): string {
  const [whole = '0', fraction = ''] = formatNanos(nanos).split('.');
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(DECIMALS_SHOWN_MIN, '0')}`;
}

/** A stored amount in nano-units. Throws for a text that is not an amount, which is a fault of the program. */
export function amountNanos(text: string): Nanos {
  const nanos = parseAmount(text);
  if (nanos === null) throw new Error(`stored amount ${text} is not a decimal`);
  return nanos;
}
