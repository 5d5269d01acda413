import type { RatioLimit } from '../limit.js';

/**
 * Clicks ÷ impressions of a session, over its life and with the click that is judged, once it has enough impressions.
 * Contract: docs/contract/fraud-rules.md#click-through-rate.
 */
export function clickThroughRate(max: number, impressionsMin: number): RatioLimit {
  return {
    kind: 'ratio',
    rule: 'click_through_rate',
    counter: 'clicks',
    baseCounter: 'session_impressions',
    max,
    baseMin: impressionsMin,
  };
}
