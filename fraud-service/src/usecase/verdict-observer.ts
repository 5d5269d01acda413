import type { Verdict } from '../domain/verdict.js';

/** Told of each verdict, for the metrics. */
export type VerdictObserver = (subject: 'ad_request' | 'impression' | 'click', verdict: Verdict) => void;
