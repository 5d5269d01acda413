import { DAY_MINUTES } from './day-shapes.js';
import type { SimulatedCampaign, SimulatedDay } from './simulated-day.js';

/** The results of a simulated day, as shares of budgets. */
export interface DayFigures {
  /** The billed share of all budgets. */
  readonly delivered: number;
  readonly worst: number;
  /** The largest excess over a budget by billed money, or by billed and open money. */
  readonly over: number;
  /** Mean distance between the billed money and the plan, over minutes and campaigns. */
  readonly offPlan: number;
  /** The largest part of a budget that was filled within five minutes, as the mean of the campaigns. */
  readonly burst: number;
  /** Median minute of the day at which 99 % was billed. 1,440: never. */
  readonly doneAt: number;
  readonly revenue: number;
}

/** The results of a day. A campaign counts from the last start of its plan on. */
export function figuresOf({ campaigns }: SimulatedDay): DayFigures {
  const sum = (of: (campaign: SimulatedCampaign) => number): number =>
    campaigns.reduce((total, campaign) => total + of(campaign), 0);
  const due = ({ budget, floor }: SimulatedCampaign): number => Math.max(budget, Math.min(floor, 2 * budget));
  const done = campaigns.map(doneAt).sort((a, b) => a - b);
  return {
    delivered: sum((one) => one.billed) / sum(due),
    worst: Math.min(...campaigns.map((one) => one.billed / due(one))),
    over: Math.max(...campaigns.map((one) => one.over / one.budget)),
    offPlan: sum(offPlan) / campaigns.length,
    burst: sum(burst) / campaigns.length,
    doneAt: done[Math.floor(done.length / 2)] ?? DAY_MINUTES,
    revenue: sum((one) => one.billed),
  };
}

function offPlan({ billedAt, plannedAt, budget, plan }: SimulatedCampaign): number {
  let billed = 0;
  let distance = 0;
  for (let minute = 0; minute < DAY_MINUTES; minute += 1) {
    if (minute >= plan.minute) distance += Math.abs(billed - (plannedAt[minute] ?? 0)) / budget;
    billed += billedAt[minute] ?? 0;
  }
  return distance / (DAY_MINUTES - plan.minute);
}

function burst({ filledAt, budget, plan }: SimulatedCampaign): number {
  let most = 0;
  for (let minute = plan.minute + 4; minute < DAY_MINUTES; minute += 1) {
    let filled = 0;
    for (let at = minute - 4; at <= minute; at += 1) filled += filledAt[at] ?? 0;
    most = Math.max(most, filled / budget);
  }
  return most;
}

function doneAt({ billedAt, budget }: SimulatedCampaign): number {
  let billed = 0;
  for (let minute = 0; minute < DAY_MINUTES; minute += 1) {
    billed += billedAt[minute] ?? 0;
    if (billed >= 0.99 * budget) return minute;
  }
  return DAY_MINUTES;
}
