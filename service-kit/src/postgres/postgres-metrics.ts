import type { Pool } from 'pg';
import { Gauge } from 'prom-client';
import type { Scope } from '../process/scope.js';

/** Shows a pool in the metrics of the process. `name` distinguishes it from the other pools of the process. */
export function watchPool(scope: Scope, pool: Pool, name: string): void {
  scope.once(showPools).set(name, pool);
}

/** The pools that the metrics of the process show, by name. */
function showPools(scope: Scope): Map<string, Pool> {
  const pools = new Map<string, Pool>();
  const registers = [scope.metrics];
  new Gauge({
    name: 'placard_postgres_connections',
    help: 'Open connections to Postgres, by pool and state: used, idle',
    labelNames: ['pool', 'state'] as const,
    registers,
    collect() {
      for (const [label, { totalCount, idleCount }] of pools) {
        this.set({ pool: label, state: 'idle' }, idleCount);
        this.set({ pool: label, state: 'used' }, totalCount - idleCount);
      }
    },
  });
  new Gauge({
    name: 'placard_postgres_connections_max',
    help: 'Most connections that a pool may open',
    labelNames: ['pool'] as const,
    registers,
    collect() {
      for (const [label, { options }] of pools) this.set({ pool: label }, options.max);
    },
  });
  new Gauge({
    name: 'placard_postgres_waiting',
    help: 'Callers that wait for a connection of a pool',
    labelNames: ['pool'] as const,
    registers,
    collect() {
      for (const [label, { waitingCount }] of pools) this.set({ pool: label }, waitingCount);
    },
  });
  return pools;
}
