import { messageOf } from './errors.js';
import type { Scope } from './scope.js';

const PROBE_INTERVAL_MS = 1_000;

/** What a process needs of a store, and where it says whether it has it. */
export interface ProbeOptions {
  /** Name of the health component. */
  readonly name: string;
  /** True: readiness does not depend on it, the process serves degraded. */
  readonly optional: boolean;
  /**
   * Rejects with what is wrong, in words. It has connections of its own, so that it waits for no work, and ends within a few
   * seconds whatever the store does.
   */
  readonly check: () => Promise<void>;
}

/** A probe that goes on until the scope closes. */
export interface Probe {
  /** Looks at once, unless a look is under way. */
  lookNow(): void;
  /** Ends it, and waits for a look that is under way. */
  close(): Promise<void>;
}

/**
 * Keeps a health component true to what a check finds, a second after the check before: one at a time, so that a store that
 * hangs is asked once and not once a second.
 */
export function keepProbing(scope: Scope, { name, optional, check }: ProbeOptions): Probe {
  const component = scope.health.register(name, { optional });
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | null = null;
  let isClosed = false;
  const look = async (): Promise<void> => {
    try {
      await check();
      component.set(true);
    } catch (error) {
      component.set(false, messageOf(error));
    }
    looking = null;
    if (!isClosed) timer = setTimeout(lookNow, PROBE_INTERVAL_MS);
  };
  const lookNow = (): void => {
    if (isClosed || looking !== null) return;
    clearTimeout(timer);
    looking = look();
  };
  lookNow();
  return {
    lookNow,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
