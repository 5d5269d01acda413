import { Counter, Histogram } from 'prom-client';
import type { Scope } from '../scope.js';

/** Upper bounds of the histograms of durations, in seconds. */
export const DURATION_BUCKETS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5];

/** What a process measures of its calls to other services. */
export interface ClientFigures {
  readonly durations: Histogram<'peer' | 'method' | 'outcome'>;
  /** Calls divided by messages: how many share one. */
  readonly messages: Counter<'peer'>;
}

const ofScopes = new WeakMap<Scope['metrics'], ClientFigures>();

/** The figures of a process; all its clients share them. */
export function figuresOf(scope: Scope): ClientFigures {
  const known = ofScopes.get(scope.metrics);
  if (known !== undefined) return known;
  const figures = {
    durations: new Histogram({
      name: 'placard_rpc_client_seconds',
      help: 'Duration of calls to other services, by peer, method and outcome',
      labelNames: ['peer', 'method', 'outcome'] as const,
      buckets: DURATION_BUCKETS,
      registers: [scope.metrics],
    }),
    messages: new Counter({
      name: 'placard_rpc_client_messages_total',
      help: 'Messages that carried unary calls to other services, by peer; calls made at the same time share one',
      labelNames: ['peer'] as const,
      registers: [scope.metrics],
    }),
  };
  ofScopes.set(scope.metrics, figures);
  return figures;
}
