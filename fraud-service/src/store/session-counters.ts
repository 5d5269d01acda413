import type { Claim } from '../domain/claim.js';
import type { Judgement } from '../domain/judgement.js';

/** The counters of the fraud rules, by session. */
export interface SessionCounters {
  /**
   * Executes a claim in one atomic step, independent of concurrent claims. Claims of one session are executed in the
   * order of the calls. A claim that was counted before passes again and is not counted twice. Rejects with
   * `unavailable` when the claim could not be judged. It may have been counted then, and the caller may repeat it.
   */
  claim(claim: Claim): Promise<Judgement>;
}
