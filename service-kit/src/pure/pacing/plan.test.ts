import { expect } from 'chai';
import { leadOf, likelySpend, paceLimits, type PacedDay } from './plan.js';
import { straightLine } from './day-curve.js';
import { UNKNOWN_TRAFFIC } from './forecast.js';
import { NO_CLOSED_FILLS, toShowRates } from './show-rates.js';

const HOUR = 3_600;
const BUDGET = 1_000_000_000;
const COST = 1_000_000;
const SLACK = 3 * COST;
const PRIORS = toShowRates(NO_CLOSED_FILLS, COST);
/** Plans are for the middle of their minute: half a minute of a straight line that runs 25 % ahead. */
const HALF_MINUTE = (1.25 * 30 * BUDGET) / (24 * HOUR);
const PROVEN = { curve: straightLine, ahead: 1 };

function dayWith(changes: Partial<PacedDay> = {}): PacedDay {
  return {
    budgetNanos: BUDGET,
    costNanos: COST,
    anchor: { second: 0, spentNanos: 0 },
    rates: { show: 0.8, late: 0.25 },
    forecast: UNKNOWN_TRAFFIC,
    ...changes,
  };
}

function planAt(second: number, changes: Partial<PacedDay> = {}): number {
  return paceLimits(dayWith(changes), second).planNanos - SLACK;
}

describe('the plan of a day', () => {
  it('runs 25 % ahead of a straight line while the traffic is unknown', () => {
    expect(planAt(0)).to.be.closeTo(HALF_MINUTE, 1);
    expect(planAt(6 * HOUR)).to.be.closeTo(0.3125 * BUDGET + HALF_MINUTE, 1);
    expect(planAt(12 * HOUR)).to.be.closeTo(0.625 * BUDGET + HALF_MINUTE, 1);
    expect(planAt(20 * HOUR)).to.equal(BUDGET);
    expect(planAt(24 * HOUR)).to.equal(BUDGET);
  });

  it('follows a proven curve', () => {
    const forecast = { curve: (second: number) => (second / (24 * HOUR)) ** 2, ahead: 1 };
    expect(planAt(6 * HOUR, { forecast })).to.be.closeTo(BUDGET / 16, HALF_MINUTE);
    expect(planAt(18 * HOUR, { forecast })).to.be.closeTo((9 * BUDGET) / 16, 2 * HALF_MINUTE);
  });

  it('spreads the remaining budget over the remaining day from an anchor on', () => {
    const anchor = { second: 12 * HOUR, spentNanos: 0.4 * BUDGET };
    expect(planAt(12 * HOUR, { anchor })).to.be.closeTo(0.4 * BUDGET, 2 * HALF_MINUTE);
    expect(planAt(16 * HOUR, { anchor })).to.be.closeTo((0.4 + 0.6 * (1.25 / 3)) * BUDGET, 2 * HALF_MINUTE);
    expect(planAt(24 * HOUR, { anchor })).to.equal(BUDGET);
  });

  it('does not allow the whole budget at once to a campaign that starts in the evening', () => {
    const anchor = { second: 21 * HOUR, spentNanos: 0 };
    expect(planAt(21 * HOUR, { anchor })).to.be.below(0.01 * BUDGET);
    expect(planAt(22 * HOUR, { anchor })).to.be.within(0.3 * BUDGET, 0.6 * BUDGET);
  });

  it('ends 30, 60 or 90 minutes before midnight, and earlier when fewer fills are shown', () => {
    const leads = [0.9, 0.75, 0.74, 0.55, 0.54, 0].map(leadOf);
    expect(leads).to.eql([1_800, 1_800, 3_600, 3_600, 5_400, 5_400]);
    for (const [show, end] of [
      [0.8, 23.5],
      [0.6, 23],
      [0.4, 22.5],
    ] as const) {
      const changes = { rates: { show, late: 0.25 }, forecast: PROVEN };
      expect(planAt((end - 0.05) * HOUR, changes)).to.be.below(BUDGET);
      expect(planAt(end * HOUR, changes)).to.equal(BUDGET);
    }
  });

  it('reaches the whole budget even when it begins late', () => {
    const anchor = { second: 22 * HOUR, spentNanos: 0 };
    expect(planAt(23 * HOUR, { anchor, forecast: PROVEN })).to.be.below(BUDGET);
    expect(planAt(23.5 * HOUR, { anchor, forecast: PROVEN })).to.equal(BUDGET);
  });

  it('allows two impressions or 0.3 % of the budget beyond the plan, whichever is more', () => {
    // Before its anchor a plan is at zero.
    const anchor = { second: 60, spentNanos: 0 };
    expect(paceLimits(dayWith({ anchor, budgetNanos: 100 * COST }), 0).planNanos).to.equal(2 * COST);
    expect(paceLimits(dayWith({ anchor, budgetNanos: 10_000 * COST }), 0).planNanos).to.equal(30 * COST);
  });

  it('leaves the second half of each minute to campaigns that are behind it', () => {
    const [first, half, last] = [0, 30, 59.999].map((second) => planAt(6 * HOUR + second));
    expect(half).to.be.closeTo((first as number) - SLACK, 1e-3);
    expect(last).to.equal(half);
  });

  it('keeps the slack of small budgets open all minute long', () => {
    const anchor = { second: 120, spentNanos: 0 };
    const limits = [0, 59].map((second) => paceLimits(dayWith({ anchor, budgetNanos: 600 * COST }), second));
    expect(limits.map(({ planNanos }) => planNanos)).to.eql([2 * COST, 2 * COST]);
  });

  it('closes the slack of a budget of which 0.3 % are two impressions', () => {
    const anchor = { second: 120, spentNanos: 0 };
    const day = dayWith({ anchor, costNanos: 3, budgetNanos: 2_000 });
    expect([0, 29.999, 30].map((second) => paceLimits(day, second).planNanos)).to.eql([6, 6, 0]);
  });

  it('limits catching up to three times the speed of the plan, except at the end of the day', () => {
    const day = dayWith({ budgetNanos: 86_400 * COST, rates: { show: 0.75, late: 0.25 } });
    expect(paceLimits(day, 6 * HOUR).mostNanos).to.be.closeTo((3 * 1.25 * 60 * COST) / 0.75, 1);
    expect(paceLimits(day, 23 * HOUR).mostNanos).to.equal(null);
  });

  it('lands from three leads before midnight on, when the curve is played one and a half times as fast', () => {
    const day = dayWith({ budgetNanos: 86_400 * COST, forecast: PROVEN });
    const slack = 0.003 * 86_400 * COST;
    const planOf = (second: number) => paceLimits(day, second).planNanos - slack;
    const landing = 24 * HOUR - 3 * 1_800;
    expect(planOf(landing - 60)).to.be.closeTo((landing - 30) * COST, 1);
    expect(planOf(landing)).to.be.closeTo((landing + 1.5 * 30) * COST, 1);
    expect(planOf(landing + 1_800)).to.be.closeTo((landing + 1.5 * 1_830) * COST, 1);
    expect(paceLimits(day, landing).mostNanos).not.to.equal(null);
    expect(paceLimits(day, landing + 0.001).mostNanos).to.equal(null);
  });

  it('brakes as if a fifth of the fills were shown where fewer are', () => {
    const mostOf = (show: number) =>
      paceLimits(dayWith({ budgetNanos: 86_400 * COST, rates: { show, late: 0 } }), 6 * HOUR)
        .mostNanos as number;
    expect(mostOf(0.2)).to.be.closeTo((3 * 1.25 * 60 * COST) / 0.2, 1);
    expect(mostOf(0.1)).to.equal(mostOf(0.2));
    expect(mostOf(0.4)).to.be.closeTo(mostOf(0.2) / 2, 1);
  });

  it('gives the whole budget where nothing of the curve is left', () => {
    const anchor = { second: 24 * HOUR, spentNanos: 0 };
    expect(planAt(24 * HOUR, { anchor })).to.equal(BUDGET);
  });

  it('says at which weights open reservations count', () => {
    const { show, late } = paceLimits(dayWith({ rates: { show: 0.6, late: 0.1 } }), 0);
    expect({ show, late }).to.deep.equal({ show: 0.6, late: 0.1 });
  });

  it('limits catching up to the slack while the curve is flat', () => {
    const forecast = { curve: () => 0.5, ahead: 1 };
    expect(paceLimits(dayWith({ forecast }), 6 * HOUR).mostNanos).to.equal(SLACK);
  });

  it('moves once a minute, at the same moment for all campaigns', () => {
    const [before, still, first, last] = [0, 29.999, 60, 89.999].map((second) => planAt(6 * HOUR + second));
    expect(before).to.equal(still);
    expect(first).to.equal(last);
    expect((first as number) - (before as number)).to.be.closeTo(2 * HALF_MINUTE, 1);
  });

  it('never falls, with any anchor', () => {
    for (const second of [0, 7 * HOUR, 19.3 * HOUR, 23.9 * HOUR]) {
      let before = -1;
      for (let at = second; at <= 24 * HOUR; at += 60) {
        const plan = planAt(at, { anchor: { second, spentNanos: 0.2 * BUDGET } });
        expect(plan).to.be.at.least(before);
        expect(plan).to.be.at.most(BUDGET);
        before = plan;
      }
    }
  });

  it('weighs fresh reservations by the show rate, and older ones by the lower late show rate', () => {
    const likely = likelySpend({ spent: 100, open: 50, fresh: 20 }, { show: 0.7, late: 0.25 });
    expect(likely).to.be.closeTo(100 + 14 + 7.5, 1e-9);
  });

  it('adds 14 shown and 6 unshown impressions to what was seen, and 2 late ones', () => {
    const closed = { shownNanos: 5 * COST, unshownNanos: 3 * COST, lateNanos: COST };
    expect(toShowRates(closed, COST)).to.eql({ show: 19 / 28, late: 3 / 12 });
    expect(toShowRates(NO_CLOSED_FILLS, 0), 'of ads for nothing').to.eql({ show: 0, late: 0 });
  });

  it('assumes show rates of 0.7 and 0.25 without data, and uses observed rates after some hundred impressions', () => {
    expect(PRIORS).to.eql({ show: 0.7, late: 0.25 });
    const seen = { shownNanos: 500 * COST, unshownNanos: 500 * COST, lateNanos: 40 * COST };
    const { show, late } = toShowRates(seen, COST);
    expect(show).to.be.closeTo(0.504, 0.001);
    expect(late).to.be.closeTo(0.077, 0.001);
  });
});
