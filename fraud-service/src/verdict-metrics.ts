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
