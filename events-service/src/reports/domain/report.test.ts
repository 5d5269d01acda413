import { expect } from 'chai';
import { isSplitByToken, joinReport, sourcesOf, type ReportCell } from './report.js';

const cell = (overrides: Partial<ReportCell>): ReportCell => ({
  keys: [],
  reason: '',
  count: 0n,
  impressions: 0n,
  clicks: 0n,
  rewards: 0n,
  spendNanos: 0n,
  revenueNanos: 0n,
  ...overrides,
});
const NOTHING = {
  keys: [],
  requests: 0n,
  fills: 0n,
  noFills: new Map(),
  impressions: 0n,
  clicks: 0n,
  rewards: 0n,
  fallbacks: 0n,
  rejected: new Map(),
  spendNanos: 0n,
  revenueNanos: 0n,
};

describe('joining a report', () => {
  it('sums the cells of all sources in the row of their keys', () => {
    const events = cell({ impressions: 3n, clicks: 2n, rewards: 1n, spendNanos: 30n, revenueNanos: 21n });
    const [row, ...others] = joinReport([], {
      requests: [
        cell({ count: 4n }),
        cell({ count: 2n, reason: 'no_budget' }),
        cell({ count: 1n, reason: 'no_budget' }),
      ],
      fills: [cell({ count: 4n }), cell({ count: 1n })],
      events: [events, events],
      fallbacks: [cell({ count: 2n }), cell({ count: 3n })],
      rejections: [cell({ count: 6n, reason: 'duplicate' }), cell({ count: 0n, reason: 'expired_token' })],
    });
    expect(others).to.deep.equal([]);
    expect(row).to.deep.equal({
      keys: [],
      requests: 7n,
      fills: 5n,
      noFills: new Map([['no_budget', 3n]]),
      impressions: 6n,
      clicks: 4n,
      rewards: 2n,
      fallbacks: 5n,
      rejected: new Map([['duplicate', 6n]]),
      spendNanos: 60n,
      revenueNanos: 42n,
    });
  });

  it('has one row of zeros when nothing happened and it is not split, and no row when it is', () => {
    const none = { requests: [], fills: [], events: [], fallbacks: [], rejections: [] };
    expect(joinReport([], none)).to.deep.equal([NOTHING]);
    expect(joinReport(['app'], none)).to.deep.equal([]);
  });

  it('has null for a figure whose source cannot be split by one of the keys', () => {
    const [row] = joinReport(['campaign'], { fills: [cell({ keys: ['cmp_a'], count: 1n })] });
    expect(row).to.include({ requests: null, noFills: null, fallbacks: null, fills: 1n });
  });

  it('orders its rows by the first key, then by the next', () => {
    const keys = [
      ['a', 'c'],
      ['b', 'a'],
      ['ab', 'c'],
      ['a', 'bc'],
      ['a', 'b'],
    ];
    const rows = joinReport(['app', 'placement'], { fills: keys.map((each) => cell({ keys: each })) });
    expect(rows.map((row) => row.keys.join())).to.deep.equal(['a,b', 'a,bc', 'a,c', 'ab,c', 'b,a']);
  });
});

describe('the sources of a report', () => {
  it('leave out requests and fallbacks where rows are split by buyer', () => {
    for (const key of ['advertiser', 'campaign', 'creative'] as const)
      expect(sourcesOf(['hour', key], true)).to.deep.equal(['fills', 'events', 'rejections']);
  });

  it('leave out fallbacks by country when some were counted without one', () => {
    const all = ['requests', 'fills', 'events', 'rejections', 'fallbacks'];
    expect(sourcesOf([], false)).to.deep.equal(all);
    expect(sourcesOf(['app'], false)).to.deep.equal(all);
    expect(sourcesOf(['country'], true)).to.deep.equal(all);
    expect(sourcesOf(['country'], false)).to.deep.equal(all.slice(0, 4));
  });

  it('report whether rows are split by a key that only a readable token holds', () => {
    expect(isSplitByToken([])).to.equal(false);
    expect(isSplitByToken(['hour', 'day'])).to.equal(false);
    expect(isSplitByToken(['hour', 'app'])).to.equal(true);
  });
});
