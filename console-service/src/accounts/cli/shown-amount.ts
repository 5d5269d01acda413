import { formatNanos, parseAmount } from '@placard/service-kit/pure';

/** An amount that the instance has accepted, in the format of all shown amounts: nine decimals. */
export function shownAmount(amount: string): string {
  const nanos = parseAmount(amount);
  return nanos === null ? amount : formatNanos(nanos);
}
