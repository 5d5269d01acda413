import { HOUR_MS } from '@placard/service-kit/pure';
import type { WindowLimit } from '../limit.js';

/**
 * Impressions of one interstitial or rewarded placement per session per hour.
 * Contract: docs/contract/fraud-rules.md#rules.
 */
export function fullscreenImpressionsPerHour(max: number): WindowLimit {
  return {
    kind: 'window',
    rule: 'fullscreen_impressions_per_hour',
    counter: 'placement_impressions',
    windowMs: HOUR_MS,
    max,
  };
}
