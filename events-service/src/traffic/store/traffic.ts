import type { TrafficCurve, TrafficDay } from '../domain/traffic-curve.js';

/** Days of traffic, and what was learned of them. Errors: `unavailable`. */
export interface TrafficStore {
  /**
   * Replaces all curves by those that `learn` makes of the whole days before `day` (UTC, since 1970), in one step and once
   * per day, whoever asks. False: they were learned before.
   */
  learn(day: number, learn: (days: readonly TrafficDay[]) => readonly TrafficCurve[]): Promise<boolean>;
  /** The learned days, those with most requests first, at most 2,000. */
  curves(): Promise<readonly TrafficCurve[]>;
}
