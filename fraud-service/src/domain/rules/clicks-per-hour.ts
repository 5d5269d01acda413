import { HOUR_MS } from '@placard/service-kit/pure';
import type { WindowLimit } from '../limit.js';

/** Clicks per session per hour. Contract: docs/contract/fraud-rules.md#rules. */
export function clicksPerHour(max: number): WindowLimit {
  return { kind: 'window', rule: 'clicks_per_hour', counter: 'clicks', windowMs: HOUR_MS, max };
}
