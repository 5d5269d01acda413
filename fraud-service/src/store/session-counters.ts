import type { Claim } from '../domain/claim.js';
import type { Verdict } from '../domain/verdict.js';

/** The counters of the fraud rules, by session. */
export interface SessionCounters {
  /**
   * Carries out claims, each in one atomic step whatever else runs at the same time, those of one session in their
   * order; answers a verdict for each. A claim that was counted before passes again and is not counted twice.
   * Rejects with `unavailable` when a claim could not be judged; some of the others may then be counted, so that the
   * whole call can be repeated.
   */
  claim(claims: readonly Claim[]): Promise<readonly Verdict[]>;
}
