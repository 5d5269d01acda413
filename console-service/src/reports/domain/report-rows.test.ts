import { expect } from 'chai';
import { inPlace } from './comparison.js';
import type { Figures } from './figures.js';
import { addZeroRows, buyerKeysOf, joinPrevious, sumRows, type CountedRow } from './report-rows.js';
import { UTC, zoneOf, type Zone } from './zone.js';

const EMPTY: Figures = {
  requests: null,
  fills: 0n,
  noFills: null,
  impressions: 0n,
  clicks: 0n,
  rewards: 0n,
  fallbacks: null,
  rejected: new Map(),
  errors: null,
  spendNanos: 0n,
  revenueNanos: 0n,
};
const row = (keys: readonly string[], fills: bigint): CountedRow => ({ keys, figures: { ...EMPTY, fills } });

describe('rows without counts', () => {
  it('are added in the order of the keys for what has no row', () => {
    const rows = addZeroRows([row(['cmp_b'], 2n)], [['cmp_c'], ['cmp_b'], ['cmp_a']], EMPTY);
    expect(rows.map(({ keys, figures }) => [...keys, figures.fills])).to.eql([
      ['cmp_a', 0n],
      ['cmp_b', 2n],
      ['cmp_c', 0n],
    ]);
  });

  it('belong to splits by advertiser, campaign and creative alone', () => {
    expect(buyerKeysOf(['campaign'])).to.eql(['campaign']);
    expect(buyerKeysOf(['creative', 'advertiser'])).to.eql(['creative', 'advertiser']);
    for (const by of [[], ['day'], ['campaign', 'day'], ['app']] as const)
      expect(buyerKeysOf(by)).to.equal(null);
  });
});

describe('a comparison', () => {
  it('has the figures of both ranges in each row, with zeros for a row of one range alone', () => {
    const joined = joinPrevious([row(['a'], 1n), row(['c'], 3n)], [row(['a'], 5n), row(['b'], 7n)], EMPTY);
    expect(joined.map(({ keys, figures, previous }) => [...keys, figures.fills, previous?.fills])).to.eql([
      ['a', 1n, 5n],
      ['b', 0n, 7n],
      ['c', 3n, 0n],
    ]);
    expect(joinPrevious([row(['a'], 1n)], null, EMPTY)[0]?.previous).to.equal(null);
  });

  it('puts days and hours of the range before in the place of those of the range', () => {
    const vienna = zoneOf('Europe/Vienna') as Zone;
    const shift = { zone: vienna, fromMs: vienna.beginOf('2026-10-24'), toMs: vienna.beginOf('2026-10-26') };
    const before = [row(['2026-10-24', 'app_a'], 1n), row(['2026-10-25', 'app_a'], 2n)];
    expect(inPlace(before, ['day', 'app'], shift).map(({ keys }) => keys)).to.eql([
      ['2026-10-26', 'app_a'],
      ['2026-10-27', 'app_a'],
    ]);
    const hours = { zone: UTC, fromMs: Date.UTC(2026, 10, 9, 15), toMs: Date.UTC(2026, 10, 9, 17) };
    expect(inPlace([row(['2026-11-09T16:00:00Z'], 1n)], ['hour'], hours)[0]?.keys).to.eql([
      '2026-11-09T18:00:00Z',
    ]);
  });
});

describe('the total of a report', () => {
  it('is the sum of its rows, and without rows it has the figures of the split', () => {
    expect(sumRows([row(['a'], 1n), row(['b'], 2n)], EMPTY)).to.deep.equal({ ...EMPTY, fills: 3n });
    expect(sumRows([], EMPTY)).to.equal(EMPTY);
  });
});
