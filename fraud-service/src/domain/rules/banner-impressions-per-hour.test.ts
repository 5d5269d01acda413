import { expect } from 'chai';
import { isWindowFull } from '../limit.js';
import { bannerImpressionsPerHour } from './banner-impressions-per-hour.js';

describe('impressions per banner placement per session per hour', () => {
  const table: readonly (readonly [refreshSeconds: number, factor: number, max: number])[] = [
    [30, 1.5, 180],
    [60, 1.5, 90],
    [45, 1.5, 120],
    [31, 1.5, 174], // 174.19…
    [50, 1.25, 90],
    [36, 1.15, 115], // 100 × 1.15 is 114.99… as a float
    [30, 1.1, 132], // 120 × 1.1 is 132.00…01 as a float
    [3_600, 1.5, 1],
    [1, 1_000, 3_600_000],
    [7, 0.000001, 0],
  ];
  for (const [refreshSeconds, factor, max] of table) {
    it(`is 3600 / ${refreshSeconds} x ${factor}, rounded down: ${max}`, () => {
      expect(bannerImpressionsPerHour(refreshSeconds, factor).max).to.equal(max);
    });
  }

  it('lets the last one pass and not one more', () => {
    const limit = bannerImpressionsPerHour(30, 1.5);
    expect(isWindowFull(limit, 179)).to.equal(false);
    expect(isWindowFull(limit, 180)).to.equal(true);
  });

  it("counts the placement's impressions of a rolling hour", () => {
    const limit = bannerImpressionsPerHour(30, 1.5);
    expect(limit).to.deep.include({ counter: 'placement_impressions', windowMs: 3_600_000 });
  });
});
