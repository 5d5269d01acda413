import { expect } from 'chai';
import { RetryBudget } from './retry-budget.js';

function taken(budget: RetryBudget, now: number): number {
  let count = 0;
  while (budget.take(now)) count += 1;
  return count;
}

describe('the retry budget', () => {
  it('allows a tenth of the calls, after ten free retries', () => {
    const budget = new RetryBudget(0);
    expect(taken(budget, 0)).to.equal(10);
    for (let call = 0; call < 200; call += 1) budget.earn();
    expect(taken(budget, 0)).to.equal(20);
  });

  it('refills by one retry per second, up to ten, without calls', () => {
    const budget = new RetryBudget(0);
    taken(budget, 0);
    expect(taken(budget, 3_000)).to.equal(3);
    expect(taken(budget, 3_600_000)).to.equal(10);
  });

  it('saves up at most 100 retries', () => {
    const budget = new RetryBudget(0);
    for (let call = 0; call < 1_000_000; call += 1) budget.earn();
    expect(taken(budget, 0)).to.equal(100);
  });
});
