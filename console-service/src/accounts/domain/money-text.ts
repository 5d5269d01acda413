import { formatNanos, type Nanos } from '@placard/service-kit/pure';

/** An amount with its currency (ISO 4217), such as `5.250000000 USD`. */
export function moneyText(nanos: Nanos, currency: string): string {
  return `${formatNanos(nanos)} ${currency}`;
}
