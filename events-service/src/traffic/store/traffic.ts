import type { TrafficCurve, TrafficDay } from '../domain/traffic-curve.js';

/** Days of traffic and the curves that were learned from them. Errors: `unavailable`. */
export interface TrafficStore {
  /**
   * Replaces all curves in one transaction by those that `learn` makes from the whole days before `day` (UTC, since 1970),
   * once per day over all workers. False: they were learned before.
   */
  learn(day: number, learn: (days: readonly TrafficDay[]) => readonly TrafficCurve[]): Promise<boolean>;
  /** The learned days, those with most requests first, at most 2,000. */
  curves(): Promise<readonly TrafficCurve[]>;
}
