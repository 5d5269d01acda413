import { messageOf } from './errors.js';
import type { Scope } from './scope.js';

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
  /** Checks at once, unless a check is running. */
  lookNow(): void;
  /** Ends the probe and waits for a running check. */
  close(): Promise<void>;
}

/**
 * Keeps a health component up to date with a check, which starts again one second after its last end. Only one check
 * runs at a time, so a store that hangs is not asked every second.
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
