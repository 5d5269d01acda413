import type { Campaign } from '../catalog/catalog.js';
import type { Nanos } from '../money.js';
import type { Forecast } from './forecast.js';
import type { ClosedFills } from './show-rates.js';

/** Smaller daily budgets, in impressions, are not paced. Contract: docs/contract/selection.md#pacing. */
export const PACED_IMPRESSIONS_MIN = 100;

/**
 * The point from which a plan is computed: the first request of the day, a resumption, or a change of the daily budget.
 */
export interface PaceAnchor {
  readonly atMs: number;
  /** The spend at that instant in nano-units. Open reservations count with their likely cost. */
  readonly spentNanos: Nanos;
  /** The daily budget of the plan. */
  readonly budgetNanos: Nanos;
}

/** The facts of a process for a campaign's plan. */
export interface PaceKnowledge {
  /** Null: unknown. */
  readonly anchor: PaceAnchor | null;
  /**
   * Instant of the campaign's resumption, epoch ms. An earlier anchor is not valid. Null: no resumption in the life of
   * this process.
   */
  readonly resumedAtMs: number | null;
  readonly closed: ClosedFills;
  readonly forecast: Forecast;
}

/** Whether the campaign's daily budget is spread over the day. */
export function isPaced(campaign: Campaign): boolean {
  const { pacing, budgetDailyNanos, costNanos } = campaign;
  if (pacing !== 'even' || budgetDailyNanos === null) return false;
  return budgetDailyNanos >= BigInt(PACED_IMPRESSIONS_MIN) * costNanos;
}
