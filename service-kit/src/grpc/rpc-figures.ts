import { Counter } from 'prom-client';
import type { Scope } from '../process/scope.js';
import { Durations } from '../process/durations.js';

/** Metrics of the calls from a process to other services. */
export interface ClientFigures {
  /** By peer, method and outcome. */
  readonly durations: Durations;
  /** Calls divided by messages is the mean number of calls in a message. */
  readonly messages: Counter<'peer'>;
  readonly silences: Counter<'peer'>;
  /** `result`: `made` or `over_budget`. */
  readonly retries: Counter<'peer' | 'result'>;
}

const ofScopes = new WeakMap<Scope['metrics'], ClientFigures>();

/** The metrics of a process. All its clients share them. */
export function figuresOf(scope: Scope): ClientFigures {
  const known = ofScopes.get(scope.metrics);
  if (known !== undefined) return known;
  const figures = {
    durations: new Durations({
      name: 'placard_rpc_client_seconds',
      help: 'Duration of calls to other services, by peer, method and outcome',
      registry: scope.metrics,
    }),
    messages: new Counter({
      name: 'placard_rpc_client_messages_total',
      help: 'Messages that carried unary calls to other services, by peer; calls made at the same time share one',
      labelNames: ['peer'] as const,
      registers: [scope.metrics],
    }),
    silences: new Counter({
      name: 'placard_rpc_client_silences_total',
      help: 'Times that a replica of another service owed answers and was silent, by peer',
      labelNames: ['peer'] as const,
      registers: [scope.metrics],
    }),
    retries: new Counter({
      name: 'placard_rpc_client_retries_total',
      help: 'Calls whose answer was lost and that may be sent again, by peer and result: made or over_budget',
      labelNames: ['peer', 'result'] as const,
      registers: [scope.metrics],
    }),
  };
  ofScopes.set(scope.metrics, figures);
  return figures;
}
