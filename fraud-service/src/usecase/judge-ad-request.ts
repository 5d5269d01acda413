import { adRequestClaim } from '../domain/claim.js';
import type { Thresholds } from '../domain/thresholds.js';
import type { AdRequest } from '../domain/traffic.js';
import type { Verdict } from '../domain/verdict.js';
import type { SessionCounters } from '../store/session-counters.js';
import type { VerdictObserver } from './verdict-observer.js';

/** What judging ad requests needs. */
export interface JudgeAdRequestParts {
  readonly counters: SessionCounters;
  readonly thresholds: Thresholds;
  readonly onVerdict: VerdictObserver;
}

/**
 * Judges an ad request and counts it when it passes. Error `unavailable`.
 * Contract: docs/contract/fraud-rules.md#what-counts.
 */
export type JudgeAdRequest = (adRequest: AdRequest) => Promise<Verdict>;

/** Makes {@link JudgeAdRequest}. */
export function makeJudgeAdRequest({ counters, thresholds, onVerdict }: JudgeAdRequestParts): JudgeAdRequest {
  return async (adRequest) => {
    const [verdict = null] = await counters.claim([adRequestClaim(adRequest, thresholds)]);
    onVerdict('ad_request', verdict);
    return verdict;
  };
}
