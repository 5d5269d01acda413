import { DAY_SECONDS } from './day-curve.js';
import type { Forecast } from './forecast.js';
import type { ShowRates } from './show-rates.js';

/** The rest of the curve is played so much faster while landing. */
const LANDING_SPEED = 1.5;
/** How long before midnight a plan ends, by the least show rate for which it is enough. */
const LEADS = [
  { showMin: 0.75, seconds: 1_800 },
  { showMin: 0.55, seconds: 3_600 },
] as const;
const LEAD_SECONDS_MAX = 5_400;
/** Allowed beyond the plan: a share of the budget, and never less than so many impressions. */
const SLACK_SHARE = 0.003;
const SLACK_IMPRESSIONS = 2;
/** A backlog is caught up at so many times the plan's own speed at most. */
const BRAKE_FACTOR = 3;
/** A lower show rate does not loosen the brake further. */
const BRAKE_SHOW_MIN = 0.2;
const MINUTE_SECONDS = 60;
/**
 * Plans move once a minute, all together, to where they are to be in the middle of it. At that moment the highest bids take
 * what is theirs, those below take from what is left, and the rest of the minute is free for low bids: with plans that move all
 * the time, every campaign takes its next request wherever it comes, and low bids with narrow targeting are crowded out.
 */
const STEP_SECONDS = MINUTE_SECONDS;
/**
 * The slack is open for so long from each step on. After that only campaigns that are behind their plan fill: those that are
 * at it would take what a low bid waits for, here and there, as their open money is shown or comes back.
 */
const SLACK_SECONDS = STEP_SECONDS / 2;
/** Less of a curve than this is as good as nothing. */
const NOTHING_LEFT = 1e-9;

/** A campaign's day, as far as the pace needs it. Doubles are exact enough here: hard limits are checked elsewhere. */
export interface PacedDay {
  readonly budgetNanos: number;
  readonly costNanos: number;
  /** Where the plan begins: the start of the day, or the last start, resumption or change of the budget. */
  readonly anchor: { readonly second: number; readonly spentNanos: number };
  readonly rates: ShowRates;
  readonly forecast: Forecast;
}

/** What a reservation must stay under besides the budget. Checked inside the atomic reserve. */
export interface PaceLimits {
  /** Spent, plus open reservations at their likely cost, plus the new one: at most this. */
  readonly planNanos: number;
  /** Reserved within this minute: at most this. Null: no brake. */
  readonly mostNanos: number | null;
  /** Weight of reservations of this minute and the one before. */
  readonly show: number;
  /** Weight of older reservations that are still open. */
  readonly late: number;
}

/**
 * How many seconds before midnight the plan ends, so that reservations that are never shown can be sold again: the fewer
 * are shown, the more rounds that takes.
 */
export function leadOf(show: number): number {
  return LEADS.find(({ showMin }) => show >= showMin)?.seconds ?? LEAD_SECONDS_MAX;
}

/**
 * What a campaign may have spent and reserve at a second (0..86400) of the UTC day. It depends on settings, learned
 * figures and the clock only, so that all replicas agree without talking. Contract: docs/contract/selection.md#pacing.
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

/** What open reservations and the spend so far will likely come to, in nano-units. */
export function likelySpend(
  day: { readonly spent: number; readonly open: number; readonly fresh: number },
  { show, late }: ShowRates,
): number {
  return day.spent + show * day.fresh + late * (day.open - day.fresh);
}

function slackOf({ costNanos, budgetNanos }: PacedDay): number {
  return Math.max(SLACK_IMPRESSIONS * costNanos, SLACK_SHARE * budgetNanos);
}

/** All minute long for small budgets, which would lose their last impressions otherwise and take little from others. */
function isSlackOpen({ costNanos, budgetNanos }: PacedDay, secondOfStep: number): boolean {
  const isSmall = SLACK_SHARE * budgetNanos < SLACK_IMPRESSIONS * costNanos;
  return isSmall || secondOfStep < SLACK_SECONDS;
}

/** From the anchor on, what is left of the budget is spread over what is left of the curve. */
function planAt({ anchor, budgetNanos, forecast }: PacedDay, second: number, lead: number): number {
  const { curve, ahead } = forecast;
  const start = curve(warp(anchor.second, lead));
  const left = 1 - start;
  if (left <= NOTHING_LEFT) return budgetNanos;
  const passed = Math.max(0, curve(warp(second, lead)) - start);
  return anchor.spentNanos + (budgetNanos - anchor.spentNanos) * Math.min(1, (ahead * passed) / left);
}

/** Near midnight the rest of the curve is played faster. */
function warp(second: number, lead: number): number {
  const from = landingStart(lead);
  return second <= from ? second : Math.min(DAY_SECONDS, from + (second - from) * LANDING_SPEED);
}

function landingStart(lead: number): number {
  return DAY_SECONDS - 3 * lead;
}
