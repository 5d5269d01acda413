import {
  DAY_MS,
  DAY_SECONDS,
  forecastOf,
  isPaced,
  likelySpend,
  paceLimits,
  secondOfDay,
  toShowRates,
  type Campaign,
  type DayCurve,
  type Reach,
  type TrafficGroup,
} from '@placard/service-kit/pure';
import type { CampaignSpend } from './delivery.js';

/** A projection needs this share of the day's traffic since the plan began. */
const PASSED_MIN = 0.05;

/** The UTC day of a campaign with a daily budget, in nano-units. */
export interface ProjectedDay {
  /** The daily budget, or what the total budget leaves for the day when that is less. */
  readonly budgetNanos: bigint;
  readonly planNanos: bigint;
  readonly deliveredNanos: bigint;
  readonly projectedNanos: bigint;
}

/** What {@link projectDay} reads. */
export interface DayFacts {
  readonly campaign: Campaign;
  /** Since when it may deliver without a break, epoch ms; 0: always. */
  readonly liveSinceMs: number;
  readonly spend: CampaignSpend;
  /** The groups of traffic in which the campaign may be served. */
  readonly reach: Reach;
  readonly curves: readonly TrafficGroup[];
  readonly nowMs: number;
}

/**
 * The plan and the likely end of a campaign's day: from the begin of the plan on, the spend goes on in proportion to the
 * learned traffic. Null: there is no daily budget, or too little of the day's traffic has passed to tell.
 */
export function projectDay(facts: DayFacts): ProjectedDay | null {
  const { campaign, spend, nowMs } = facts;
  const budgetNanos = budgetOfDay(campaign, spend);
  if (budgetNanos === null) return null;
  const { curve } = forecastOf(facts.curves, facts.reach);
  const begin = beginOf(facts);
  const at = curve(secondOfDay(nowMs));
  const passed = at - curve(begin.second);
  if (passed < PASSED_MIN) return null;
  const delivered = deliveredOf(campaign, spend);
  const rate = Math.max(0, delivered - begin.spentNanos) / passed;
  const left = Math.max(0, curve(endSecondOf(campaign, nowMs)) - at);
  const projected = Math.min(Number(budgetNanos), delivered + rate * left);
  return {
    budgetNanos,
    planNanos: toNanos(Math.min(Number(budgetNanos), planOf(facts, curve, begin))),
    deliveredNanos: toNanos(delivered),
    projectedNanos: toNanos(projected),
  };
}

/** The money that is likely spent on this day: open ads count with the share that is likely to be shown. */
function deliveredOf(campaign: Campaign, spend: CampaignSpend): number {
  const rates = ratesOf(campaign, spend);
  const open = Number(spend.dayOpenNanos);
  return likelySpend({ spent: Number(spend.daySpentNanos), open, fresh: open }, rates);
}

function ratesOf({ costNanos }: Campaign, { shownNanos, unshownNanos }: CampaignSpend) {
  return toShowRates({ shownNanos, unshownNanos, lateNanos: 0 }, Number(costNanos));
}

function budgetOfDay(campaign: Campaign, spend: CampaignSpend): bigint | null {
  const { budgetDailyNanos: daily, budgetTotalNanos: total } = campaign;
  if (daily === null) return null;
  if (total === null) return daily;
  const leftForDay = total - spend.spentNanos + spend.daySpentNanos;
  return leftForDay < daily ? max(leftForDay, 0n) : daily;
}

interface Begin {
  readonly second: number;
  readonly spentNanos: number;
}

/** Where the day begins for the campaign: its anchor, the instant since which it may deliver if that is today, or midnight. */
function beginOf({ spend: { anchor }, liveSinceMs, nowMs }: DayFacts): Begin {
  if (anchor !== null) return { second: secondOfDay(anchor.atMs), spentNanos: Number(anchor.spentNanos) };
  const midnightMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return { second: liveSinceMs > midnightMs ? secondOfDay(liveSinceMs) : 0, spentNanos: 0 };
}

function endSecondOf({ endsAtMs }: Campaign, nowMs: number): number {
  const nextMidnightMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
  return endsAtMs !== null && endsAtMs < nextMidnightMs ? secondOfDay(endsAtMs) : DAY_SECONDS;
}

/** A paced campaign has the plan that its leases follow. Another one has the learned traffic as its plan. */
function planOf(facts: DayFacts, curve: DayCurve, begin: Begin): number {
  const { campaign, spend, nowMs } = facts;
  const budgetNanos = Number(campaign.budgetDailyNanos ?? 0n);
  const second = secondOfDay(nowMs);
  if (isPaced(campaign)) {
    const forecast = forecastOf(facts.curves, facts.reach);
    const rates = ratesOf(campaign, spend);
    return paceLimits(
      { budgetNanos, costNanos: Number(campaign.costNanos), anchor: begin, rates, forecast },
      second,
    ).planNanos;
  }
  const begun = curve(begin.second);
  const whole = curve(endSecondOf(campaign, nowMs)) - begun;
  const share = whole > 0 ? Math.min(1, (curve(second) - begun) / whole) : 1;
  return begin.spentNanos + (budgetNanos - begin.spentNanos) * share;
}

function toNanos(amount: number): bigint {
  return BigInt(Math.round(amount));
}

function max(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
