import { MINUTE_MS } from '@placard/service-kit/pure';
import { defineRule } from '../rule.js';
import { count } from '../setting.js';

/**
 * Ad requests per session per minute. Further ones get a no-fill.
 * Contract: docs/contract/fraud-rules.md#over-the-ad-request-cap.
 */
export const adRequestsPerMinute = defineRule({
  code: 'ad_requests_per_minute',
  text: 'ad requests of a session in a minute',
  section: 'over-the-ad-request-cap',
  judges: ['ad_request'],
  precedence: 1,
  settings: { ad_requests_per_minute: count(30) },
  kind: 'window',
  counter: 'ad_requests',
  windowMs: MINUTE_MS,
  max: (_, values) => values.ad_requests_per_minute,
});
