import { HOUR_MS } from '@placard/service-kit/pure';
import { defineRule } from '../rule.js';
import { count } from '../setting.js';

/** Impressions per session per hour over all placements. Contract: docs/contract/fraud-rules.md#rules. */
export const sessionImpressionsPerHour = defineRule({
  code: 'session_impressions_per_hour',
  text: 'impressions of a session in an hour, all placements',
  section: 'rules',
  judges: ['impression'],
  precedence: 3,
  settings: { session_impressions_per_hour: count(720) },
  kind: 'window',
  counter: 'session_impressions',
  windowMs: HOUR_MS,
  max: (_, values) => values.session_impressions_per_hour,
});
