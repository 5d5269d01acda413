import { parseAmount, type Nanos } from '@placard/service-kit/pure';

/** More digits before the point than `parseAmount` reads; zeros in front do not count. */
const TOO_LONG = /^(-?)0*[1-9]\d{18,}(?:\.\d{1,9})?$/;
/** 10^18 units: beyond every limit. */
const BEYOND: Nanos = 10n ** 27n;

/**
 * An amount that a person gives, like `parseAmount`. A decimal that is too long for it is 10^18 units with its sign, so that it
 * is refused as too large and not as no decimal.
 */
export function readGivenAmount(text: string, decimalsMax?: number): Nanos | null {
  const long = TOO_LONG.exec(text);
  if (long === null) return parseAmount(text, decimalsMax);
  return long[1] === '-' ? -BEYOND : BEYOND;
}
