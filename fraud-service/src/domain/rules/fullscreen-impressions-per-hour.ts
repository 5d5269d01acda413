import { HOUR_MS } from '@placard/service-kit/pure';
import { defineRule } from '../rule.js';
import { count } from '../setting.js';

/**
 * Impressions of one interstitial or rewarded placement per session per hour.
 * Contract: docs/contract/fraud-rules.md#rules.
 */
export const fullscreenImpressionsPerHour = defineRule({
  code: 'fullscreen_impressions_per_hour',
  text: 'impressions of a full-screen placement in a session and hour',
  section: 'rules',
  judges: ['impression'],
  precedence: 2,
  settings: { fullscreen_impressions_per_hour: count(60) },
  kind: 'window',
  counter: 'placement_impressions',
  windowMs: HOUR_MS,
  max: ({ isBanner }, values) => (isBanner ? null : values.fullscreen_impressions_per_hour),
});
