import type { Pool, PoolClient } from 'pg';
import type { Tracing } from '../tracing/tracing.js';

type Query = (...args: unknown[]) => unknown;
type Connect = (...args: unknown[]) => unknown;

/**
 * Records each statement, under its name, as a step of the request that runs it. The time includes the wait for a
 * connection. Connections that the pool lends to transactions are traced as well.
 */
export function tracePool(tracing: Tracing, pool: Pool): void {
  const connect = pool.connect.bind(pool) as Connect;
  const tracedConnect: Connect = (...args) =>
    // A call with a callback comes from the pool itself.
    args.length > 0 ? connect(...args) : pending(connect()).then((client) => traceClient(tracing, client));
  pool.query = tracedQuery(tracing, pool);
  pool.connect = tracedConnect as Pool['connect'];
}

function pending(connecting: unknown): Promise<PoolClient> {
  return connecting as Promise<PoolClient>;
}

/** `client` stays unchanged, because it goes back to the pool. */
function traceClient(tracing: Tracing, client: PoolClient): PoolClient {
  return Object.assign(Object.create(client) as PoolClient, { query: tracedQuery(tracing, client) });
}

function tracedQuery<T extends Pool | PoolClient>(tracing: Tracing, target: T): T['query'] {
  const send = target.query.bind(target) as Query;
  const query: Query = (...args) => {
    // A call with a callback comes from the pool itself.
    if (tracing.traceparent() === null || typeof args.at(-1) === 'function') return send(...args);
    const name = nameOf(args[0]);
    const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': name };
    return tracing.step(name, { kind: 'client', attributes }, () => Promise.resolve(send(...args)));
  };
  return query as T['query'];
}

/** The name of a prepared statement, otherwise the first word of the text. */
function nameOf(statement: unknown): string {
  if (typeof statement === 'string') return /[A-Za-z]+/.exec(statement)?.[0].toUpperCase() ?? 'statement';
  const { name, text } = statement as { readonly name?: string; readonly text?: string };
  return name ?? nameOf(text ?? '');
}
