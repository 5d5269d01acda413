import type { Campaign, Nanos } from '@placard/service-kit/pure';
import type { Forecast } from './forecast.js';
import { UNKNOWN_TRAFFIC } from './forecast.js';
import { NO_CLOSED_FILLS, type ClosedFills } from './show-rates.js';

/** Daily budgets of fewer impressions are not paced. Contract: docs/contract/selection.md#pacing. */
export const PACED_IMPRESSIONS_MIN = 100;

/** Where a plan begins anew: the first request of the day, a resumption, or a change of the daily budget. */
export interface PaceAnchor {
  readonly atMs: number;
  /** What had been spent by then, open reservations at their likely cost, in nano-units. */
  readonly spentNanos: Nanos;
  /** The daily budget for which the plan was made. */
  readonly budgetNanos: Nanos;
}

/** What a process knows for a campaign's plan. */
export interface PaceKnowledge {
  /** Null: none known yet. */
  readonly anchor: PaceAnchor | null;
  /** When the campaign was resumed, epoch ms: an anchor before that no longer holds. Null: not in this process's life. */
  readonly resumedAtMs: number | null;
  readonly closed: ClosedFills;
  readonly forecast: Forecast;
}

/** A campaign of which nothing is known. */
export const NOTHING_KNOWN: PaceKnowledge = {
  anchor: null,
  resumedAtMs: null,
  closed: NO_CLOSED_FILLS,
  forecast: UNKNOWN_TRAFFIC,
};

/** Whether the campaign's day is spread at all. */
export function isPaced(campaign: Campaign): boolean {
  const { pacing, budgetDailyNanos, costNanos } = campaign;
  if (pacing !== 'even' || budgetDailyNanos === null) return false;
  return budgetDailyNanos >= BigInt(PACED_IMPRESSIONS_MIN) * costNanos;
}
