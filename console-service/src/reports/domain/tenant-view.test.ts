import { expect } from 'chai';
import type { Figures } from './figures.js';
import { viewOf } from './tenant-view.js';

const FIGURES: Figures = {
  requests: 3n,
  fills: 2n,
  noFills: new Map(),
  impressions: 1n,
  clicks: 1n,
  rewards: 0n,
  fallbacks: new Map(),
  rejected: new Map(),
  errors: null,
  spendNanos: 2_500_000n,
  revenueNanos: 1_750_000n,
};
const REPORT = {
  rows: [
    { keys: ['app_a'], figures: FIGURES, previous: FIGURES },
    { keys: ['app_b'], figures: FIGURES, previous: null },
  ],
  total: { figures: FIGURES, previous: FIGURES },
};

describe('the figures of a report that a tenant sees', () => {
  it('are all figures for the operator', () => {
    expect(viewOf(REPORT, null)).to.eql(REPORT);
  });

  for (const [reader, hidden] of [
    ['publisher', { spendNanos: null }],
    ['advertiser', { revenueNanos: null }],
  ] as const) {
    it(`have no ${Object.keys(hidden)[0]} for the ${reader}, in rows, in the total and in the range before`, () => {
      const seen = { ...FIGURES, ...hidden };
      expect(viewOf(REPORT, reader)).to.eql({
        rows: [
          { keys: ['app_a'], figures: seen, previous: seen },
          { keys: ['app_b'], figures: seen, previous: null },
        ],
        total: { figures: seen, previous: seen },
      });
    });
  }
});
