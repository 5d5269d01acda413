import { Counter, Gauge } from 'prom-client';
import type { Scope } from '../process/scope.js';

/** Metrics of the breakers of a process, by dependency. */
export interface BreakerFigures {
  readonly state: Gauge<'dependency'>;
  readonly opens: Counter<'dependency'>;
  readonly refusals: Counter<'dependency'>;
}

/** Makes the metrics. Call it with `scope.once`. */
export function makeBreakerFigures({ metrics }: Pick<Scope, 'metrics'>): BreakerFigures {
  const common = { labelNames: ['dependency'] as const, registers: [metrics] };
  return {
    state: new Gauge({
      ...common,
      name: 'placard_breaker_state',
      help: '1 while the breaker of a dependency is open, because it does not answer in time; else 0',
    }),
    opens: new Counter({
      ...common,
      name: 'placard_breaker_opens_total',
      help: 'Times that the breaker of a dependency opened',
    }),
    refusals: new Counter({
      ...common,
      name: 'placard_breaker_refusals_total',
      help: 'Calls that were not made because the breaker of the dependency was open',
    }),
  };
}
