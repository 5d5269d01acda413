import type { Scope } from '@placard/service-kit';
import { Counter } from 'prom-client';
import type { VerdictObserver } from './usecase/verdict-observer.js';

/** Counts verdicts as `placard_fraud_verdicts_total`, by what was judged and the rule that it broke (`none`: it passed). */
export function makeVerdictMetrics(scope: Scope): VerdictObserver {
  const verdicts = new Counter({
    name: 'placard_fraud_verdicts_total',
    help: 'Verdicts of the fraud rules, by what was judged and the rule that was broken (none: it passed)',
    labelNames: ['subject', 'rule'] as const,
    registers: [scope.metrics],
  });
  return (subject, verdict) => verdicts.inc({ subject, rule: verdict ?? 'none' });
}

/** Counts suspicious events as `placard_suspicious_events_total`: `kept` in the log, or only `counted`. */
export function makeLogMetrics(
  scope: Scope,
): (counts: { readonly kept: number; readonly counted: number }) => void {
  const events = new Counter({
    name: 'placard_suspicious_events_total',
    help: 'Suspicious events: kept as entries of the log, or only counted, since their session or app has enough of them',
    labelNames: ['outcome'] as const,
    registers: [scope.metrics],
  });
  return ({ kept, counted }) => {
    events.inc({ outcome: 'kept' }, kept);
    events.inc({ outcome: 'counted' }, counted);
  };
}
