import { HOUR_MS } from '@placard/service-kit/pure';
import { defineRule } from '../rule.js';
import { factor } from '../setting.js';

const HOUR_SECONDS = 3_600;
/** The factor has at most six decimals, so this scale makes it a whole number. */
const FACTOR_SCALE = 1_000_000;

/**
 * Impressions of one banner placement per session per hour: 3600 ÷ refresh × factor, rounded down; 180 for a banner of
 * 30 s. Computed in whole numbers, because 100 × 1.15 is 114.99… as a float.
 * Contract: docs/contract/fraud-rules.md#banner-limit.
 */
export const bannerImpressionsPerHour = defineRule({
  code: 'banner_impressions_per_hour',
  text: 'impressions of a banner placement in a session and hour',
  section: 'banner-limit',
  judges: ['impression'],
  precedence: 1,
  settings: { banner_impression_factor: factor(1.5) },
  kind: 'window',
  counter: 'placement_impressions',
  windowMs: HOUR_MS,
  max({ isBanner, bannerRefreshSeconds }, values) {
    if (!isBanner) return null;
    const scaledFactor = Math.round(values.banner_impression_factor * FACTOR_SCALE);
    return Math.floor((HOUR_SECONDS * scaledFactor) / (bannerRefreshSeconds * FACTOR_SCALE));
  },
});
