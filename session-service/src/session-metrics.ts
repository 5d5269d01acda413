import type { Scope } from '@placard/service-kit';
import { Counter } from 'prom-client';
import type { Refusal } from './domain/refusal.js';

/** The metrics of session-service. */
export interface SessionMetrics {
  readonly onOutcome: (outcome: Refusal | 'started') => void;
  /** Package mismatches that were not reported to fraud-service, because too many waited or the process ended. */
  readonly onDropped: (count: number) => void;
}

/** Registers `placard_sessions_total` by outcome, and `placard_package_mismatches_dropped_total`. */
export function makeSessionMetrics(scope: Scope): SessionMetrics {
  const registers = [scope.metrics];
  const sessions = new Counter({
    name: 'placard_sessions_total',
    help: 'Session starts, by outcome: started, or the code of the error',
    labelNames: ['outcome'] as const,
    registers,
  });
  const dropped = new Counter({
    name: 'placard_package_mismatches_dropped_total',
    help: 'Package mismatches that did not reach the suspicious-event log',
    registers,
  });
  return { onOutcome: (outcome) => sessions.inc({ outcome }), onDropped: (count) => dropped.inc(count) };
}
