import { expect } from 'chai';
import { aCampaign } from '../../test/support/world.js';
import { isPaced, likelySpend, secondOfDay, straightLinePacer, type PacedDay } from './pacing.js';

const HOUR = 3_600;
const BUDGET = 1_000_000_000;
const COST = 1_000_000;
const SLACK = 2 * COST;

function planAt(second: number, changes: Partial<PacedDay> = {}): number {
  const day: PacedDay = {
    budgetNanos: BUDGET,
    costNanos: COST,
    anchor: { second: 0, spentNanos: 0 },
    show: null,
    ...changes,
  };
  return straightLinePacer.limits(day, second).planNanos - SLACK;
}

describe('pacing', () => {
  it('runs 25 % ahead of a straight line over the UTC day', () => {
    expect(planAt(0)).to.equal(0);
    expect(planAt(6 * HOUR)).to.be.closeTo(0.3125 * BUDGET, 1);
    expect(planAt(12 * HOUR)).to.be.closeTo(0.625 * BUDGET, 1);
    expect(planAt(20 * HOUR)).to.equal(BUDGET);
    expect(planAt(24 * HOUR)).to.equal(BUDGET);
  });

  it('spreads what is left over what is left of the day from an anchor on', () => {
    const anchor = { second: 12 * HOUR, spentNanos: 0.4 * BUDGET };
    expect(planAt(12 * HOUR, { anchor })).to.be.closeTo(0.4 * BUDGET, 1);
    expect(planAt(16 * HOUR, { anchor })).to.be.closeTo((0.4 + 0.6 * (1.25 / 3)) * BUDGET, 1);
    expect(planAt(24 * HOUR, { anchor })).to.equal(BUDGET);
  });

  it('is done half an hour before midnight even when the anchor is late', () => {
    const anchor = { second: 22 * HOUR, spentNanos: 0 };
    expect(planAt(23 * HOUR, { anchor })).to.be.below(BUDGET);
    expect(planAt(23.5 * HOUR, { anchor })).to.equal(BUDGET);
  });

  it('allows two impressions or 0.2 % of the budget beyond the plan, whichever is more', () => {
    const day = {
      budgetNanos: 100 * COST,
      costNanos: COST,
      anchor: { second: 0, spentNanos: 0 },
      show: null,
    };
    expect(straightLinePacer.limits(day, 0).planNanos).to.equal(2 * COST);
    const large = { ...day, budgetNanos: 10_000 * COST };
    expect(straightLinePacer.limits(large, 0).planNanos).to.equal(20 * COST);
  });

  it('brakes catching up at three times the plan’s own speed, and no longer while landing', () => {
    const day = {
      budgetNanos: 86_400 * COST,
      costNanos: COST,
      anchor: { second: 0, spentNanos: 0 },
      show: 0.75,
    };
    const limits = straightLinePacer.limits(day, 6 * HOUR);
    expect(limits.mostNanos).to.be.closeTo((3 * 1.25 * 60 * COST) / 0.75, 1);
    expect(straightLinePacer.limits(day, 23 * HOUR).mostNanos).to.equal(null);
  });

  it('weighs fresh reservations by the show rate and older ones by how few of them are still shown', () => {
    const likely = likelySpend({ spent: 100, open: 50, fresh: 20 }, { show: 0.7, late: 0.25 });
    expect(likely).to.be.closeTo(100 + 14 + 7.5, 1e-9);
  });

  const campaigns: readonly (readonly [string, Parameters<typeof aCampaign>[0], boolean])[] = [
    ['an even campaign with a daily budget of 100 impressions', { budgetDailyNanos: 250_000_000n }, true],
    ['an even campaign with less than 100 impressions a day', { budgetDailyNanos: 249_999_999n }, false],
    ['an even campaign without a daily budget', { budgetDailyNanos: null }, false],
    ['an asap campaign', { budgetDailyNanos: 10n ** 12n, pacing: 'asap' }, false],
  ];
  for (const [name, changes, isSo] of campaigns) {
    it(`${isSo ? 'paces' : 'does not pace'} ${name}`, () => {
      expect(isPaced(aCampaign(changes))).to.equal(isSo);
    });
  }

  it('counts the second of the UTC day, fractions included', () => {
    expect(secondOfDay(Date.UTC(2026, 4, 1))).to.equal(0);
    expect(secondOfDay(Date.UTC(2026, 4, 1, 23, 59, 59, 500))).to.equal(86_399.5);
  });
});
