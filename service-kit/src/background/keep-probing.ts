import { keepRunning } from './keep-running.js';
import { messageOf } from '../process/errors.js';
import type { Scope } from '../process/scope.js';

const PROBE_INTERVAL_MS = 1_000;

/** The check of a store and the health component that shows its result. */
export interface ProbeOptions {
  /** Name of the health component. */
  readonly name: string;
  /** True: the process is ready without the store and serves degraded. */
  readonly optional: boolean;
  /**
   * Rejects with a description of the fault. It uses its own connections, so it never waits behind other work. It ends
   * within a few seconds, whatever the store does.
   */
  readonly check: () => Promise<void>;
}

/** A probe that runs until the scope closes. */
export interface Probe {
  /** Checks at once. During a check, checks once more after it. */
  lookNow(): void;
}

/**
 * Keeps a health component up to date with a check that runs each second. Only one check runs at a time, so a store that
 * hangs is not asked every second.
 */
export function keepProbing(scope: Scope, { name, optional, check }: ProbeOptions): Probe {
  const component = scope.health.register(name, { optional });
  // A failed check is no failure of the probe. Health and readiness show it.
  const look = async (): Promise<void> => {
    try {
      await check();
      component.set(true);
    } catch (error) {
      component.set(false, messageOf(error));
    }
  };
  const probe = keepRunning(scope, {
    name: `probe of ${name}`,
    intervalMs: PROBE_INTERVAL_MS,
    run: look,
    isRunAtStart: true,
  });
  return { lookNow: () => probe.runNow() };
}
