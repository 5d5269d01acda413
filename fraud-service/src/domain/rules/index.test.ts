import { expect } from 'chai';
import { testImpression } from '../../../test/traffic.js';
import { SPECIFIED_THRESHOLDS } from '../thresholds.js';
import { adRequestLimits, clickLimits, impressionLimits } from './index.js';

describe('which rules hold', () => {
  const rulesOf = (limits: readonly { readonly rule: string }[]): string[] => limits.map(({ rule }) => rule);

  it('for an ad request: the cap on ad requests', () => {
    expect(rulesOf(adRequestLimits(SPECIFIED_THRESHOLDS))).to.deep.equal(['ad_requests_per_minute']);
  });

  it('for a banner: that of its placement, then that of the session', () => {
    const banner = testImpression({ format: 'banner' });
    expect(rulesOf(impressionLimits(banner, SPECIFIED_THRESHOLDS))).to.deep.equal([
      'banner_impressions_per_hour',
      'session_impressions_per_hour',
    ]);
  });

  for (const format of ['interstitial', 'rewarded'] as const) {
    it(`for ${format}: the full-screen rule whatever the refresh, then that of the session`, () => {
      const limits = impressionLimits(
        testImpression({ format, bannerRefreshSeconds: 0 }),
        SPECIFIED_THRESHOLDS,
      );
      expect(rulesOf(limits)).to.deep.equal([
        'fullscreen_impressions_per_hour',
        'session_impressions_per_hour',
      ]);
    });
  }

  it('for a click: clicks per hour, then the click-through rate', () => {
    expect(rulesOf(clickLimits(SPECIFIED_THRESHOLDS))).to.deep.equal([
      'clicks_per_hour',
      'click_through_rate',
    ]);
  });
});
