import type { Registry } from 'prom-client';
import type { Health } from './health.js';
import type { Logger } from './logs.js';
import type { RpcSettings } from './rpc-settings.js';
import type { Timers } from './timers.js';
import type { Clock } from '../pure/clock.js';
import type { Random } from '../pure/random.js';
import type { Tracing } from '../tracing/tracing.js';

/** The context that every part of a process receives: its name, clock, randomness, log, metrics and closers. */
export interface Scope {
  /** Name of the process, e.g. `serving-service`. */
  readonly name: string;
  readonly log: Logger;
  readonly clock: Clock;
  /** For work in the background; see `@placard/service-kit/background`. */
  readonly timers: Timers;
  readonly random: Random;
  /** The process's metrics. */
  readonly metrics: Registry;
  readonly health: Health;
  /** Null: traces are off. */
  readonly tracing: Tracing | null;
  /** How the process serves and calls. */
  readonly rpc: RpcSettings;
  /** Aborted when the process begins to stop. Work in progress continues; new work is refused. */
  readonly stopping: AbortSignal;
  /** Registers the closer of a resource directly after its opening. Closers run in reverse order. */
  onClose(name: string, close: () => Promise<void> | void): void;
  /** One object per process. The first call runs `make`; each later call with the same `make` gives the same object. */
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
