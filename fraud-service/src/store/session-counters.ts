import type { Claim } from '../domain/claim.js';
import type { Judgement } from '../domain/judgement.js';

/** The counters of the fraud rules, by session. */
export interface SessionCounters {
  /**
   * Carries out a claim in one atomic step, whatever else runs at the same time; the claims of one session in the order in
   * which they were made. A claim that was counted before passes again and is not counted twice. Rejects with
   * `unavailable` when it could not be judged; it may be counted then, so that it can be repeated.
   */
  claim(claim: Claim): Promise<Judgement>;
}
