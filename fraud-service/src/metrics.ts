import type { Scope } from '@placard/service-kit';
import { Counter } from 'prom-client';
import { fraudRules, type FraudRule } from './domain/fraud-rules.js';
import type { Judgement } from './domain/judgement.js';
import type { Subject } from './domain/traffic.js';

/**
 * Counts of one kind of traffic, by rule. They are written to the registry only when it is read, because judging must
 * be cheap.
 */
type CountsByRule = Map<FraudRule | 'none', number>;

/**
 * Counts verdicts as `placard_fraud_verdicts_total`, by subject and broken rule (`none`: it passed), and refusals of
 * rules in shadow mode as `placard_fraud_shadow_total`.
 */
export function makeJudgementMetrics(
  scope: Scope,
  shadowRules: ReadonlySet<FraudRule>,
): (subject: Subject, judgement: Judgement) => void {
  const verdicts = makeCounts();
  const shadowed = makeCounts();
  // A rule without refusals shows zero and is not missing.
  for (const { code, judges } of fraudRules) {
    if (shadowRules.has(code)) for (const subject of judges) shadowed[subject].set(code, 0);
  }
  showCounts(scope, verdicts, {
    name: 'placard_fraud_verdicts_total',
    help: 'Verdicts of the fraud rules, by subject and broken rule (none: it passed)',
  });
  showCounts(scope, shadowed, {
    name: 'placard_fraud_shadow_total',
    help: 'Traffic that fraud rules in shadow mode would have refused, by subject and rule',
  });
  return (subject, { verdict, shadowed: rules }) => {
    countOne(verdicts[subject], verdict ?? 'none');
    for (const rule of rules) countOne(shadowed[subject], rule);
  };
}

function makeCounts(): Readonly<Record<Subject, CountsByRule>> {
  return { ad_request: new Map(), impression: new Map(), click: new Map() };
}

function countOne(counts: CountsByRule, rule: FraudRule | 'none'): void {
  counts.set(rule, (counts.get(rule) ?? 0) + 1);
}

function showCounts(
  { metrics }: Scope,
  counts: Readonly<Record<Subject, CountsByRule>>,
  { name, help }: { readonly name: string; readonly help: string },
): void {
  new Counter({
    name,
    help,
    labelNames: ['subject', 'rule'] as const,
    registers: [metrics],
    collect() {
      this.reset();
      for (const [subject, byRule] of Object.entries(counts)) {
        for (const [rule, count] of byRule) this.inc({ subject, rule }, count);
      }
    },
  });
}

/** Counts suspicious events as `placard_suspicious_events_total`: `kept` as entries of the log, or only `counted`. */
export function makeLogMetrics(
  scope: Scope,
): (counts: { readonly kept: number; readonly counted: number }) => void {
  const events = new Counter({
    name: 'placard_suspicious_events_total',
    help: 'Suspicious events: kept as entries of the log, or only counted when their session or app is over its limit',
    labelNames: ['outcome'] as const,
    registers: [scope.metrics],
  });
  return ({ kept, counted }) => {
    events.inc({ outcome: 'kept' }, kept);
    events.inc({ outcome: 'counted' }, counted);
  };
}
