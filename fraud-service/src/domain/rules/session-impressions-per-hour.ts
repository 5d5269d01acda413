import { HOUR_MS } from '@placard/service-kit/pure';
import type { WindowLimit } from '../limit.js';

/** Impressions per session per hour over all placements. Contract: docs/contract/fraud-rules.md#rules. */
export function sessionImpressionsPerHour(max: number): WindowLimit {
  return {
    kind: 'window',
    rule: 'session_impressions_per_hour',
    counter: 'session_impressions',
    windowMs: HOUR_MS,
    max,
  };
}
