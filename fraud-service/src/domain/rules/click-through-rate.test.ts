import { expect } from 'chai';
import { isRatioExceeded } from '../limit.js';
import { clickThroughRate } from './click-through-rate.js';

describe('session click-through rate', () => {
  const table: readonly (readonly [clicks: number, impressions: number, isRejected: boolean])[] = [
    [0, 1, false],
    [8, 9, false], // fewer than 10 impressions: not judged
    [4, 10, false], // exactly 50 %
    [5, 10, true], // the sixth click would be 60 %
    [5, 11, true],
    [5, 12, false],
    [9, 10, true],
    [6, 13, true],
    [6, 14, false],
  ];
  for (const [clicks, impressions, isRejected] of table) {
    it(`${isRejected ? 'rejects' : 'accepts'} a click after ${clicks} clicks and ${impressions} impressions`, () => {
      expect(isRatioExceeded(clickThroughRate(0.5, 10), clicks, impressions)).to.equal(isRejected);
    });
  }

  it('accepts a rate that is exactly the greatest, also where it is no binary fraction', () => {
    expect(isRatioExceeded(clickThroughRate(0.7, 10), 6, 10)).to.equal(false);
    expect(isRatioExceeded(clickThroughRate(0.1, 10), 0, 10)).to.equal(false);
  });

  it('has no window', () => {
    expect(clickThroughRate(0.5, 10)).to.not.have.property('windowMs');
  });
});
