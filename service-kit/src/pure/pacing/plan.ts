import { DAY_SECONDS } from './day-curve.js';
import type { Forecast } from './forecast.js';
import type { ShowRates } from './show-rates.js';

/** Speed of the remaining curve near the end of the plan, as a factor. */
const LANDING_SPEED = 1.5;
/** Seconds between the end of a plan and midnight, by the lowest show rate for which they suffice. */
const LEADS = [
  { showMin: 0.75, seconds: 1_800 },
  { showMin: 0.55, seconds: 3_600 },
] as const;
const LEAD_SECONDS_MAX = 5_400;
/** Allowed spend beyond the plan: a share of the budget, but at least this number of impressions. */
const SLACK_SHARE = 0.003;
const SLACK_IMPRESSIONS = 2;
/** The largest speed at which a campaign catches up, as a multiple of the plan's speed. */
const BRAKE_FACTOR = 3;
/** A lower show rate does not loosen the brake further. */
const BRAKE_SHOW_MIN = 0.2;
const MINUTE_SECONDS = 60;
/**
 * Plans move once a minute, all together, to their value in the middle of the minute. At that moment the highest bids
 * take their money, lower bids take from the remaining requests, and the rest of the minute is free for low bids. If
 * plans moved all the time, every campaign would take its next request wherever it comes, and low bids with narrow
 * targeting would get none.
 */
const STEP_SECONDS = MINUTE_SECONDS;
/**
 * The slack can be used for this time from each step on. After it only campaigns behind their plan fill. Campaigns at
 * their plan would otherwise take single requests from low bids, whenever some of their open money is shown or
 * returned.
 */
const SLACK_SECONDS = STEP_SECONDS / 2;
/** A smaller share of a curve counts as zero. */
const NOTHING_LEFT = 1e-9;

/**
 * The day of a campaign, with the fields that the pace needs. Doubles are exact enough here: hard limits are checked
 * elsewhere.
 */
export interface PacedDay {
  readonly budgetNanos: number;
  readonly costNanos: number;
  /** The start of the plan: the start of the day, or the last start, resumption or change of the budget. */
  readonly anchor: { readonly second: number; readonly spentNanos: number };
  readonly rates: ShowRates;
  readonly forecast: Forecast;
}

/** The limits of a reservation besides the budget. They are checked inside the atomic reserve. */
export interface PaceLimits {
  /** Limit of the spend, plus open reservations at their likely cost, plus the new reservation. */
  readonly planNanos: number;
  /** Limit of the reservations of this minute. Null: no limit. */
  readonly mostNanos: number | null;
  /** Weight of reservations of this minute and the one before. */
  readonly show: number;
  /** Weight of older reservations that are still open. */
  readonly late: number;
}

/**
 * Seconds before midnight at which the plan ends, so that unshown reservations can be sold again. A lower show rate
 * takes more rounds, so the plan ends earlier.
 */
export function leadOf(show: number): number {
  return LEADS.find(({ showMin }) => show >= showMin)?.seconds ?? LEAD_SECONDS_MAX;
}

/**
 * The allowed spend and reservations of a campaign at a second (0..86400) of the UTC day. They depend only on settings,
 * learned data and the clock, so all replicas agree without communication. Contract: docs/contract/selection.md#pacing.
 */
export function paceLimits(day: PacedDay, second: number): PaceLimits {
  const { show, late } = day.rates;
  const lead = leadOf(show);
  const slack = slackOf(day);
  const step = Math.floor(second / STEP_SECONDS) * STEP_SECONDS;
  const middle = step + STEP_SECONDS / 2;
  const plan = planAt(day, middle, lead);
  const isLanding = second > landingStart(lead);
  const perMinute = isLanding ? 0 : planAt(day, middle + MINUTE_SECONDS, lead) - plan;
  return {
    planNanos: isSlackOpen(day, second - step) ? plan + slack : plan,
    mostNanos: isLanding
      ? null
      : Math.max((BRAKE_FACTOR * perMinute) / Math.max(BRAKE_SHOW_MIN, show), slack),
    show,
    late,
  };
}

/** The likely cost of open reservations plus the spend so far, in nano-units. */
export function likelySpend(
  day: { readonly spent: number; readonly open: number; readonly fresh: number },
  { show, late }: ShowRates,
): number {
  return day.spent + show * day.fresh + late * (day.open - day.fresh);
}

function slackOf({ costNanos, budgetNanos }: PacedDay): number {
  return Math.max(SLACK_IMPRESSIONS * costNanos, SLACK_SHARE * budgetNanos);
}

/**
 * Small budgets may use the slack for the whole minute. They would otherwise lose their last impressions, and they take
 * little from others.
 */
function isSlackOpen({ costNanos, budgetNanos }: PacedDay, secondOfStep: number): boolean {
  const isSmall = SLACK_SHARE * budgetNanos < SLACK_IMPRESSIONS * costNanos;
  return isSmall || secondOfStep < SLACK_SECONDS;
}

/** From the anchor on, the remaining budget is spread over the remaining curve. */
function planAt({ anchor, budgetNanos, forecast }: PacedDay, second: number, lead: number): number {
  const { curve, ahead } = forecast;
  const start = curve(warp(anchor.second, lead));
  const left = 1 - start;
  if (left <= NOTHING_LEFT) return budgetNanos;
  const passed = Math.max(0, curve(warp(second, lead)) - start);
  return anchor.spentNanos + (budgetNanos - anchor.spentNanos) * Math.min(1, (ahead * passed) / left);
}

/** Near midnight the remaining curve runs faster. */
function warp(second: number, lead: number): number {
  const from = landingStart(lead);
  return second <= from ? second : Math.min(DAY_SECONDS, from + (second - from) * LANDING_SPEED);
}

function landingStart(lead: number): number {
  return DAY_SECONDS - 3 * lead;
}
