import { DAY_MS, SECOND_MS, type Campaign, type Nanos } from '@placard/service-kit/pure';

/** Daily budgets of fewer impressions are not paced. Rulings: "Selection", pacing. */
export const PACED_IMPRESSIONS_MIN = 100;

const DAY_SECONDS = DAY_MS / SECOND_MS;
/** How far a plan runs ahead of a curve that no history proves: traffic that dies early costs little then. */
const AHEAD = 1.25;
/** The plan is done so long before midnight, so that reservations that are never shown can be sold again. */
const LANDING_SECONDS = 1_800;
const LANDING_SPEED = 1.5;
/** Allowed beyond the plan: a share of the budget, and never less than so many impressions. */
const SLACK_SHARE = 0.002;
const SLACK_IMPRESSIONS = 2;
/** A backlog is caught up at so many times the plan's own speed at most. */
const BRAKE_FACTOR = 3;
const MINUTE_SECONDS = 60;
/** Assumed share of fills that are shown, and of those that are still open after two minutes. */
const SHOW_PRIOR = 0.7;
const LATE_PRIOR = 0.25;

/** The share (0..1, never falling) of a day's traffic that is over by a second (0..86400) of the UTC day. */
export type DayCurve = (second: number) => number;

/** Traffic that is the same all day. */
export const straightLine: DayCurve = (second) => second / DAY_SECONDS;

/** Where a plan begins anew: the first request of the day, or a change of the daily budget. Amounts in nano-units. */
export interface PaceAnchor {
  readonly atMs: number;
  /** What had been spent by then, open reservations at their likely cost. */
  readonly spentNanos: Nanos;
  /** The daily budget for which the plan was made. */
  readonly budgetNanos: bigint;
}

/** A campaign's day, as far as the pace needs it. Doubles are exact enough here: hard limits are checked elsewhere. */
export interface PacedDay {
  readonly budgetNanos: number;
  readonly costNanos: number;
  readonly anchor: { readonly second: number; readonly spentNanos: number };
  /** Share of fills that become impressions, 0..1; null: not learned yet. */
  readonly show: number | null;
}

/** What a reservation must stay under besides the budget. Checked inside the atomic reserve. */
export interface PaceLimits {
  /** Spent, plus open reservations at their likely cost, plus the new one: at most this. */
  readonly planNanos: number;
  /** Reserved within this minute: at most this. Null: no brake. */
  readonly mostNanos: number | null;
  /** Weight of reservations of this minute and the one before, and of older ones that are still open. */
  readonly show: number;
  readonly late: number;
}

/** A pacing policy: depends on settings and the clock only, so that all replicas agree without talking. */
export interface Pacer {
  /** `second` of the UTC day, 0..86400. */
  limits(day: PacedDay, second: number): PaceLimits;
}

/** Whether the campaign's day is spread at all. */
export function isPaced(campaign: Campaign): boolean {
  const { pacing, budgetDailyNanos, costNanos } = campaign;
  if (pacing !== 'even' || budgetDailyNanos === null) return false;
  return budgetDailyNanos >= BigInt(PACED_IMPRESSIONS_MIN) * costNanos;
}

/** Second of the UTC day. */
export function secondOfDay(atMs: number): number {
  return (((atMs % DAY_MS) + DAY_MS) % DAY_MS) / SECOND_MS;
}

/** Near midnight the rest of the curve is played faster. */
function warp(second: number): number {
  const from = DAY_SECONDS - 3 * LANDING_SECONDS;
  return second <= from ? second : Math.min(DAY_SECONDS, from + (second - from) * LANDING_SPEED);
}

/** What is to be spent by a second of the day: from the anchor on, what is left over what is left of the curve. */
function planAt(day: PacedDay, second: number, curve: DayCurve, ahead: number): number {
  const start = curve(warp(day.anchor.second));
  const left = 1 - start;
  if (left <= 1e-9) return day.budgetNanos;
  const share = Math.min(1, Math.max(0, (ahead * (curve(warp(second)) - start)) / left));
  return day.anchor.spentNanos + (day.budgetNanos - day.anchor.spentNanos) * share;
}

/** What open reservations and the spend so far will likely come to. */
export function likelySpend(
  day: { readonly spent: number; readonly open: number; readonly fresh: number },
  limits: Pick<PaceLimits, 'show' | 'late'>,
): number {
  return day.spent + limits.show * day.fresh + limits.late * (day.open - day.fresh);
}

/** An anchored plan along a curve with slack, a brake on catching up, and an early landing. */
export function makeCurvePacer(curve: DayCurve, ahead: number): Pacer {
  return {
    limits(day, second) {
      const show = day.show ?? SHOW_PRIOR;
      const slack = Math.max(SLACK_IMPRESSIONS * day.costNanos, SLACK_SHARE * day.budgetNanos);
      const plan = planAt(day, second, curve, ahead);
      const speed = planAt(day, second + MINUTE_SECONDS, curve, ahead) - plan;
      const isLanding = second > DAY_SECONDS - 3 * LANDING_SECONDS;
      return {
        planNanos: plan + slack,
        mostNanos: isLanding ? null : Math.max((BRAKE_FACTOR * speed) / show, slack),
        show,
        late: LATE_PRIOR,
      };
    },
  };
}

/** The plan while nothing is known of the traffic: a straight line that runs 25 % ahead. */
export const straightLinePacer: Pacer = makeCurvePacer(straightLine, AHEAD);
