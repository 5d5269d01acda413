import { amountNanos } from '../decimal.js';
import type { Change } from '../plan-apply.js';

/** The opening balance of a new advertiser, in nano-units; 0 for any other change. */
export function openingNanos({ action, kind, after }: Change): bigint {
  const balance = after?.['balance'];
  return action === 'created' && kind === 'advertiser' && typeof balance === 'string'
    ? amountNanos(balance)
    : 0n;
}
