import { HOUR_MS } from '@placard/service-kit/pure';
import { defineRule } from '../rule.js';
import { count } from '../setting.js';

/** Clicks per session per hour. Contract: docs/contract/fraud-rules.md#rules. */
export const clicksPerHour = defineRule({
  code: 'clicks_per_hour',
  text: 'clicks of a session in an hour',
  section: 'rules',
  judges: ['click'],
  precedence: 2,
  settings: { clicks_per_hour: count(20) },
  kind: 'window',
  counter: 'clicks',
  windowMs: HOUR_MS,
  max: (_, values) => values.clicks_per_hour,
});
