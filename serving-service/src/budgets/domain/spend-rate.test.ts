import { expect } from 'chai';
import { NOON } from '../../../test/support/world.js';
import { SpendRate } from './spend-rate.js';

describe('the rate of spending', () => {
  it('is nothing at first, and everything that is spent at one moment', () => {
    const rate = new SpendRate();
    expect(rate.at(NOON)).to.equal(0);
    rate.add(3, NOON);
    rate.add(4, NOON);
    expect(rate.at(NOON)).to.equal(7);
  });

  it('falls to 1/e of itself in ten seconds', () => {
    const rate = new SpendRate();
    rate.add(100, NOON);
    expect(rate.at(NOON + 10_000)).to.be.closeTo(100 / Math.E, 1e-9);
    rate.add(10, NOON + 10_000);
    expect(rate.at(NOON + 20_000)).to.be.closeTo((100 / Math.E + 10) / Math.E, 1e-9);
  });

  it('loses what was not spent after all, and never falls below nothing', () => {
    const rate = new SpendRate();
    rate.add(5, NOON);
    rate.add(-2, NOON);
    expect(rate.at(NOON)).to.equal(3);
    rate.add(-9, NOON);
    rate.add(1, NOON);
    expect(rate.at(NOON)).to.equal(1);
  });

  it('does not rise when the clock is set back', () => {
    const rate = new SpendRate();
    rate.add(5, NOON);
    expect(rate.at(NOON - 60_000)).to.equal(5);
  });
});
