import { HOUR_MS } from '@placard/service-kit/pure';
import type { WindowLimit } from '../limit.js';

const HOUR_SECONDS = 3_600;
/** The factor has six decimals at most, so this scale makes it whole. */
const FACTOR_SCALE = 1_000_000;

/**
 * Impressions of one banner placement per session per hour: 3600 ÷ refresh × factor, rounded down; 180 for a banner of
 * 30 s. Counted in whole numbers, since 100 × 1.15 is 114.99… as a float.
 * Contract: docs/contract/fraud-rules.md#banner-limit.
 */
export function bannerImpressionsPerHour(refreshSeconds: number, factor: number): WindowLimit {
  const scaledFactor = Math.round(factor * FACTOR_SCALE);
  return {
    kind: 'window',
    rule: 'banner_impressions_per_hour',
    counter: 'placement_impressions',
    windowMs: HOUR_MS,
    max: Math.floor((HOUR_SECONDS * scaledFactor) / (refreshSeconds * FACTOR_SCALE)),
  };
}
