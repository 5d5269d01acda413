import { watchPool } from './postgres-metrics.js';
import { makePool, type Pool, type PoolClient, type PostgresOptions } from './postgres-pool.js';
import { probePostgres } from './probe-postgres.js';
import { watchMissingTls } from '../process/missing-tls.js';
import { makeSampledLog } from '../process/sampled-log.js';
import type { Scope } from '../process/scope.js';
import { plainDatabaseHosts } from '../stores/database-url.js';
import { tracePool } from './trace-postgres.js';

/**
 * Opens a pool that survives restarts of the database. A probe on its own connection updates the health component
 * `postgres` each second; a database that takes no writes is not healthy. This function does not wait for the database:
 * a service starts without it, and `/readyz` shows that.
 */
export function openPostgres(scope: Scope, options: PostgresOptions): Pool {
  const onStaleAuthorities = (reason: string): void =>
    scope.log.error({ reason }, 'authorities of postgres could not be read again: the old ones stay');
  const pool = makePool({ ...options, onStaleAuthorities }, (error) =>
    scope.once(makeSampledLog).warn({ reason: error.message }, 'postgres connection lost'),
  );
  watchMissingTls(scope).reachesPostgres(plainDatabaseHosts(options.url));
  watchPool(scope, pool, 'main');
  if (scope.tracing !== null) tracePool(scope.tracing, pool);
  probePostgres(scope, options);
  scope.onClose('postgres', () => pool.end());
  return pool;
}

/** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: unknown) => {
      broken = failure instanceof Error ? failure : new Error(String(failure));
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
