import { expect } from 'chai';
import { LIFETIMES, START_MS, testAdRequest, testClick, testImpression } from '../../test/traffic.js';
import { adRequestClaim, clickClaim, impressionClaim } from './claim.js';
import { SPECIFIED_THRESHOLDS } from './thresholds.js';

const HOUR_MS = 3_600_000;

describe('a claim', () => {
  it('of an ad request keeps its counter for the window and no longer', () => {
    const [counter] = adRequestClaim(testAdRequest(), SPECIFIED_THRESHOLDS).counters;
    expect(counter).to.deep.equal({
      name: 'ad_requests',
      isCounted: true,
      ttlMs: 60_000,
      forgetUntilMs: START_MS - 120_000,
    });
  });

  it("of an impression counts for the session's life and for the placement's hour", () => {
    const claim = impressionClaim(testImpression(), SPECIFIED_THRESHOLDS, LIFETIMES);
    expect(claim.placement).to.equal('home_banner');
    expect(claim.counters).to.deep.equal([
      { name: 'session_impressions', isCounted: true, ttlMs: 1.5 * HOUR_MS, forgetUntilMs: null },
      {
        name: 'placement_impressions',
        isCounted: true,
        ttlMs: HOUR_MS,
        forgetUntilMs: START_MS - 2 * HOUR_MS,
      },
    ]);
  });

  it('of a click counts the click and only reads the impressions', () => {
    const claim = clickClaim(testClick(), SPECIFIED_THRESHOLDS, LIFETIMES);
    expect(claim.counters.map(({ name, isCounted }) => [name, isCounted])).to.deep.equal([
      ['clicks', true],
      ['session_impressions', false],
    ]);
  });

  const table: readonly (readonly [title: string, sessionLeftMs: number, ttlMs: number])[] = [
    ['as long as its last click can come', 60_000, 1.5 * HOUR_MS],
    ['also after the session has ended', -60_000, 1.5 * HOUR_MS],
    ['until the last impression of a long session', 10 * HOUR_MS, 10.5 * HOUR_MS],
  ];
  for (const [title, sessionLeftMs, ttlMs] of table) {
    it(`keeps a session's counters ${title}`, () => {
      const impression = testImpression({ sessionExpiresAtMs: START_MS + sessionLeftMs });
      const [counter] = impressionClaim(impression, SPECIFIED_THRESHOLDS, LIFETIMES).counters;
      expect(counter?.ttlMs).to.equal(ttlMs);
    });
  }
});
