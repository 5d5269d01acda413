import type { Registry } from 'prom-client';
import type { Health } from './health.js';
import type { Logger } from './logs.js';
import type { Clock } from '../pure/clock.js';
import type { Random } from '../pure/random.js';
import type { Tracing } from '../tracing/tracing.js';

/** What every part of a process receives: who it is, and where time, chance, logs and closing live. */
export interface Scope {
  /** Name of the process, e.g. `serving-service`. */
  readonly name: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly random: Random;
  /** The process's metrics. */
  readonly metrics: Registry;
  readonly health: Health;
  /** Null: traces are off. */
  readonly tracing: Tracing | null;
  /** Aborted when the process begins to stop: answer what is there, take nothing new. */
  readonly stopping: AbortSignal;
  /** Registers the closer of a resource in the same breath as it is opened; closers run in reverse order. */
  onClose(name: string, close: () => Promise<void> | void): void;
  /** What a process has one of: `make` makes it at the first call, every later call with the same `make` gives the same. */
  once<T>(make: (scope: Scope) => T): T;
}

/** Makes {@link Scope.once} of a scope. */
export function makeOnce(scope: () => Scope): Scope['once'] {
  const made = new Map<unknown, unknown>();
  return <T>(make: (scope: Scope) => T): T => {
    if (!made.has(make)) made.set(make, make(scope()));
    return made.get(make) as T;
  };
}
