import { MINUTE_MS } from '@placard/service-kit/pure';
import type { WindowLimit } from '../limit.js';

/**
 * Ad requests per session per minute; those over it get a no-fill.
 * Contract: docs/contract/fraud-rules.md#over-the-ad-request-cap.
 */
export function adRequestsPerMinute(max: number): WindowLimit {
  return {
    kind: 'window',
    rule: 'ad_requests_per_minute',
    counter: 'ad_requests',
    windowMs: MINUTE_MS,
    max,
  };
}
