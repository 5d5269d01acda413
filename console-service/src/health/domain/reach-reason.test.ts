import { expect } from 'chai';
import { NO_FIGURES } from './concern.js';
import { missingImpressions, reachReason } from './reach-reason.js';

const lost = (losses: Readonly<Record<string, number>>) => new Map(Object.entries(losses));

describe('the reason of a campaign that nothing of its own stops', () => {
  it('is its targeting while the matching requests are fewer than it lacks', () => {
    expect(reachReason(lost({ app: 200, country: 900, outbid: 99 }), 100)).to.equal('country');
  });

  it('is who takes its requests when enough match it, however many others do not', () => {
    expect(reachReason(lost({ app: 90_000, cap: 40, outbid: 60 }), 100)).to.equal('outbid');
    expect(reachReason(lost({ app: 90_000, cap: 60, outbid: 40 }), 100)).to.equal('cap');
  });

  it('is the larger step when the requests that match it are fewer than it lacks', () => {
    expect(reachReason(lost({ country: 5, outbid: 50 }), 100)).to.equal('outbid');
    expect(reachReason(lost({ language: 50, country: 50 }), 100)).to.equal('country');
  });

  it('is `reach` while no lost request is known, and money and schedule do not count', () => {
    expect(reachReason(lost({}), 1)).to.equal('reach');
    expect(reachReason(lost({ schedule: 7, balance: 7, budget_daily: 7, pacing: 7 }), 1)).to.equal('reach');
  });
});

describe('the impressions that a campaign lacks', () => {
  it('are what the day leaves of the budget, in impressions', () => {
    expect(missingImpressions({ ...NO_FIGURES, budgetNanos: 100n, projectedNanos: 40n }, 20n)).to.equal(3);
  });

  it('are one without a daily budget', () => {
    expect(missingImpressions(NO_FIGURES, 20n)).to.equal(1);
  });
});
