import type { Pool, PoolClient } from '../postgres-pool.js';
import type { Tracing } from './tracing.js';

type Query = (...args: unknown[]) => unknown;

/** Makes each statement a step of the request that runs it, by the statement's name; waiting for a connection counts in. */
export function tracePool(tracing: Tracing, pool: Pool): void {
  pool.query = tracedQuery(tracing, pool);
}

/** The same for the statements of one transaction; `client` itself stays as it is, for it goes back to the pool. */
export function traceClient(tracing: Tracing, client: PoolClient): PoolClient {
  return Object.assign(Object.create(client) as PoolClient, { query: tracedQuery(tracing, client) });
}

function tracedQuery<T extends Pool | PoolClient>(tracing: Tracing, target: T): T['query'] {
  const send = target.query.bind(target) as Query;
  const query: Query = (...args) => {
    // With a callback it is the pool's own business.
    if (tracing.traceparent() === null || typeof args.at(-1) === 'function') return send(...args);
    const name = nameOf(args[0]);
    const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': name };
    return tracing.step(name, { kind: 'client', attributes }, () => Promise.resolve(send(...args)));
  };
  return query as T['query'];
}

/** The name of a prepared statement, else the first word of the text. */
function nameOf(statement: unknown): string {
  if (typeof statement === 'string') return /[A-Za-z]+/.exec(statement)?.[0].toUpperCase() ?? 'statement';
  const { name, text } = statement as { readonly name?: string; readonly text?: string };
  return name ?? nameOf(text ?? '');
}
