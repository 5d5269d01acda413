import { expect } from 'chai';
import { joinReport, type ReportCell } from './report.js';

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
  events: { impressions: 0n, clicks: 0n, rewards: 0n, spendNanos: 0n, revenueNanos: 0n },
  fallbacks: new Map(),
  rejected: new Map(),
  errors: new Map(),
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
      fallbacks: [cell({ count: 2n, reason: 'error' }), cell({ count: 3n, reason: 'timeout' })],
      rejections: [cell({ count: 6n, reason: 'duplicate' }), cell({ count: 0n, reason: 'expired_token' })],
      errors: [cell({ count: 8n, reason: '429.rate_limited' })],
    });
    expect(others).to.deep.equal([]);
    expect(row).to.deep.equal({
      keys: [],
      requests: 7n,
      fills: 5n,
      noFills: new Map([['no_budget', 3n]]),
      events: { impressions: 6n, clicks: 4n, rewards: 2n, spendNanos: 60n, revenueNanos: 42n },
      fallbacks: new Map([
        ['error', 2n],
        ['timeout', 3n],
      ]),
      rejected: new Map([['duplicate', 6n]]),
      errors: new Map([['429.rate_limited', 8n]]),
    });
  });

  it('has one row of zeros when nothing happened and it is not split, and no row when it is', () => {
    const none = { requests: [], fills: [], events: [], fallbacks: [], rejections: [], errors: [] };
    expect(joinReport([], none)).to.deep.equal([NOTHING]);
    expect(joinReport(['app'], none)).to.deep.equal([]);
  });

  it('has null for a figure whose source cannot be split by one of the keys', () => {
    const [row] = joinReport(['campaign'], { fills: [cell({ keys: ['cmp_a'], count: 1n })] });
    expect(row).to.deep.equal({
      keys: ['cmp_a'],
      requests: null,
      fills: 1n,
      noFills: null,
      events: null,
      fallbacks: null,
      rejected: null,
      errors: null,
    });
  });

  it('counts a request by version without a reason as a fill', () => {
    const versions = [
      cell({ keys: ['3.2'], count: 4n }),
      cell({ keys: ['3.2'], count: 2n, reason: 'over_fraud_cap' }),
    ];
    const [row] = joinReport(['app_version'], { versions });
    expect(row).to.deep.include({ requests: 6n, fills: 4n, noFills: new Map([['over_fraud_cap', 2n]]) });
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
