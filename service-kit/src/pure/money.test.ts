import { expect } from 'chai';
import fc from 'fast-check';
import { formatNanos, parseAmount, splitRevenue } from './money.js';

describe('parseAmount', () => {
  for (const [text, nanos] of [
    ['2.50', 2_500_000_000n],
    ['0', 0n],
    ['0.000000001', 1n],
    ['4.010', 4_010_000_000n],
    ['0.07', 70_000_000n],
    ['0.0699999', 69_999_900n],
    ['-1.5', -1_500_000_000n],
    ['9007199.254740993', 9_007_199_254_740_993n],
    ['9007199254740993', 9_007_199_254_740_993_000_000_000n],
    ['00012', 12_000_000_000n],
  ] as const) {
    it(`reads ${text} exactly`, () => {
      expect(parseAmount(text)).to.equal(nanos);
    });
  }

  for (const text of [
    '',
    ' ',
    ' 1',
    '1 ',
    '1.',
    '.5',
    '1,5',
    '1e3',
    '+1',
    '--1',
    '0x1',
    'NaN',
    'Infinity',
    '1.0000000001',
    '1_000',
    '١',
    '1\n',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(parseAmount(text)).to.equal(null);
    });
  }

  it('counts decimals as they are written and rounds nothing', () => {
    expect(parseAmount('2.123456', 6)).to.equal(2_123_456_000n);
    expect(parseAmount('2.1234567', 6)).to.equal(null);
    expect(parseAmount('2.0000000', 6)).to.equal(null);
  });
});

describe('formatNanos', () => {
  for (const [nanos, text] of [
    [0n, '0.000000000'],
    [1n, '0.000000001'],
    [-1n, '-0.000000001'],
    [499_997_500_000n, '499.997500000'],
    [-1_500_000_000n, '-1.500000000'],
    [9_007_199_254_740_993n, '9007199.254740993'],
    [9_223_372_036_854_775_807n, '9223372036.854775807'],
  ] as const) {
    it(`writes ${nanos} as ${text}`, () => {
      expect(formatNanos(nanos)).to.equal(text);
    });
  }

  it('writes every amount so that parseAmount reads it back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (nanos) => {
        expect(parseAmount(formatNanos(nanos))).to.equal(nanos);
      }),
    );
  });
});

describe('splitRevenue', () => {
  it('rounds the publisher down and leaves the remainder to the platform', () => {
    expect(splitRevenue(2_500_000n, 7_000)).to.deep.equal({
      publisherNanos: 1_750_000n,
      platformNanos: 750_000n,
    });
    expect(splitRevenue(3n, 3_333)).to.deep.equal({ publisherNanos: 0n, platformNanos: 3n });
    expect(splitRevenue(9_999n, 1)).to.deep.equal({ publisherNanos: 0n, platformNanos: 9_999n });
    expect(splitRevenue(10_000n, 1)).to.deep.equal({ publisherNanos: 1n, platformNanos: 9_999n });
  });

  it('never makes or loses a nano-unit', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 62n }),
        fc.integer({ min: 0, max: 10_000 }),
        (cost, share) => {
          const { publisherNanos, platformNanos } = splitRevenue(cost, share);
          expect(publisherNanos + platformNanos).to.equal(cost);
          expect(publisherNanos >= 0n && platformNanos >= 0n).to.equal(true);
        },
      ),
    );
  });
});
