import { formatNanos, parseAmount } from '@placard/service-kit/pure';

/** An amount that the instance has taken, in the one format in which all amounts are shown: nine decimals. */
export function shownAmount(amount: string): string {
  const nanos = parseAmount(amount);
  return nanos === null ? amount : formatNanos(nanos);
}
