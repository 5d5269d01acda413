import { Registry } from 'prom-client';
import { Closers } from '../process/closers.js';
import { Health } from '../process/health.js';
import { makeLogger, type Logger } from '../process/logs.js';
import { systemClock, type Clock } from '../pure/clock.js';
import { systemRandom, type Random } from '../pure/random.js';
import { PLAIN_RPC, type RpcSettings } from '../process/rpc-settings.js';
import { makeOnce, type Scope } from '../process/scope.js';
import { systemTimers, type Timers } from '../process/timers.js';
import type { Tracing } from '../tracing/tracing.js';

/** A scope that the test closes itself. */
export interface TestScope extends Scope {
  /** Begins to stop, as a process that still serves until balancers have noticed. Nothing is closed yet. */
  stop(): void;
  /** Runs the closers in reverse; throws when one failed. */
  close(): Promise<void>;
}

/** Options of a test scope. */
export interface TestScopeOptions {
  readonly name?: string;
  readonly clock?: Clock | undefined;
  /** Default: the machine's. */
  readonly timers?: Timers;
  /** Default: one of `logLevel`. */
  readonly log?: Logger;
  readonly random?: Random;
  /** Default null. */
  readonly tracing?: Tracing | null;
  /** Default: without TLS. */
  readonly rpc?: RpcSettings;
  /** Default `silent`. */
  readonly logLevel?: string;
}

/** Makes a scope for one test or one test file. */
export function makeTestScope(options: TestScopeOptions = {}): TestScope {
  const name = options.name ?? 'test';
  const log = options.log ?? makeLogger(name, options.logLevel ?? 'silent');
  const closers = new Closers();
  const stopping = new AbortController();
  const scope: TestScope = {
    name,
    log,
    clock: options.clock ?? systemClock,
    timers: options.timers ?? systemTimers,
    random: options.random ?? systemRandom,
    metrics: new Registry(),
    health: new Health(),
    tracing: options.tracing ?? null,
    rpc: options.rpc ?? PLAIN_RPC,
    stopping: stopping.signal,
    onClose: (what, close) => closers.push(what, close),
    once: makeOnce(() => scope),
    stop: () => stopping.abort(),
    async close() {
      stopping.abort();
      const [first] = await closers.closeAll(log);
      if (first !== undefined) throw first;
    },
  };
  return scope;
}
