import type { Limit } from '../limit.js';
import type { Thresholds } from '../thresholds.js';
import type { Impression } from '../traffic.js';
import { adRequestsPerMinute } from './ad-requests-per-minute.js';
import { bannerImpressionsPerHour } from './banner-impressions-per-hour.js';
import { clickThroughRate } from './click-through-rate.js';
import { clicksPerHour } from './clicks-per-hour.js';
import { fullscreenImpressionsPerHour } from './fullscreen-impressions-per-hour.js';
import { sessionImpressionsPerHour } from './session-impressions-per-hour.js';

export { isClickTooSoon } from './click-delay.js';

/** What an ad request is held against. */
export function adRequestLimits(thresholds: Thresholds): readonly Limit[] {
  return [adRequestsPerMinute(thresholds.adRequestsPerMinute)];
}

/**
 * What an impression is held against, in the order of docs/contract/fraud-rules.md#rules: the first that breaks names
 * the verdict.
 */
export function impressionLimits(impression: Impression, thresholds: Thresholds): readonly Limit[] {
  const ofPlacement =
    impression.format === 'banner'
      ? bannerImpressionsPerHour(impression.bannerRefreshSeconds, thresholds.bannerImpressionFactor)
      : fullscreenImpressionsPerHour(thresholds.fullscreenImpressionsPerHour);
  return [ofPlacement, sessionImpressionsPerHour(thresholds.sessionImpressionsPerHour)];
}

/** What a click is held against after its delay, in the order of docs/contract/fraud-rules.md#rules. */
export function clickLimits(thresholds: Thresholds): readonly Limit[] {
  return [
    clicksPerHour(thresholds.clicksPerHour),
    clickThroughRate(thresholds.ctrMax, thresholds.ctrImpressionsMin),
  ];
}
