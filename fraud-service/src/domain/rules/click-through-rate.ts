import { defineRule } from '../rule.js';
import { count, ratio } from '../setting.js';

/**
 * Clicks ÷ impressions over the life of a session, including the judged click, once the session has enough impressions.
 * Contract: docs/contract/fraud-rules.md#click-through-rate.
 */
export const clickThroughRate = defineRule({
  code: 'click_through_rate',
  text: 'click-through rate of a session',
  section: 'click-through-rate',
  judges: ['click'],
  precedence: 3,
  settings: { max_ctr: ratio(0.5), ctr_min_impressions: count(10) },
  kind: 'ratio',
  counter: 'clicks',
  baseCounter: 'session_impressions',
  max: (_, values) => values.max_ctr,
  baseMin: (values) => values.ctr_min_impressions,
});
