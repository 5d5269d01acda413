import { expect } from 'chai';
import fc from 'fast-check';
import { addFigures, ratiosOf, type Figures } from './figures.js';

const ROW: Figures = {
  requests: 3n,
  fills: 2n,
  noFills: new Map([['frequency_capped', 1n]]),
  impressions: 1n,
  clicks: 1n,
  rewards: 0n,
  fallbacks: new Map([['timeout', 2n]]),
  rejected: new Map(),
  errors: null,
  spendNanos: 2_500_000n,
  revenueNanos: 1_750_000n,
};

describe('the ratios of a row', () => {
  it('are rounded to the nearest last decimal', () => {
    expect(ratiosOf(ROW)).to.eql({
      fillRate: '0.666667',
      showRate: '0.500000',
      ctr: '1.000000',
      ecpm: '1.750000000',
    });
  });

  it('are null where a part is missing or the divisor is 0', () => {
    const nothing = { ...ROW, requests: 0n, fills: 0n, impressions: 0n };
    expect(ratiosOf(nothing)).to.eql({ fillRate: null, showRate: null, ctr: null, ecpm: null });
    const unknown = { ...ROW, requests: null, impressions: null, clicks: null, revenueNanos: null };
    expect(ratiosOf(unknown)).to.eql({ fillRate: null, showRate: null, ctr: null, ecpm: null });
  });

  it('of any counts differ from the exact quotient by half of the last decimal at most', () => {
    const count = fc.bigInt({ min: 1n, max: 10n ** 15n });
    fc.assert(
      fc.property(count, count, (part, whole) => {
        const { fillRate } = ratiosOf({ ...ROW, fills: part, requests: whole });
        const [units = '', decimals = ''] = (fillRate ?? '').split('.');
        const millionths = BigInt(units) * 1_000_000n + BigInt(decimals);
        const error = millionths * whole - part * 1_000_000n;
        return decimals.length === 6 && 2n * (error < 0n ? -error : error) <= whole;
      }),
    );
  });
});

describe('the sum of two rows', () => {
  it('adds every figure, by reason too, and lacks what one of them lacks', () => {
    expect(
      addFigures(ROW, { ...ROW, noFills: new Map([['test_no_fill', 4n]]), rewards: null }),
    ).to.deep.equal({
      requests: 6n,
      fills: 4n,
      noFills: new Map([
        ['frequency_capped', 1n],
        ['test_no_fill', 4n],
      ]),
      impressions: 2n,
      clicks: 2n,
      rewards: null,
      fallbacks: new Map([['timeout', 4n]]),
      rejected: new Map(),
      errors: null,
      spendNanos: 5_000_000n,
      revenueNanos: 3_500_000n,
    });
    expect(ROW.noFills).to.deep.equal(new Map([['frequency_capped', 1n]]));
  });
});
