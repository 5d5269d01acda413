import { messageOf, type Scope } from '@placard/service-kit';

/** Work that is repeated for the life of the process. */
export interface Periodic {
  readonly name: string;
  readonly intervalMs: number;
  readonly run: () => Promise<unknown>;
  /** True: the first run is at once and not after the first interval. */
  readonly isRunAtStart?: boolean;
  /** True: runs once more at the end, so that nothing is left undone. */
  readonly isRunAtEnd?: boolean;
}

/**
 * Runs the work at the interval, one run at a time. The next run compensates for a failed one. Only the first failure
 * after a success is logged. A failure of the run at the start is not a warning, because the other services may start
 * later.
 */
export function keepRunning(scope: Scope, periodic: Periodic): void {
  let round: Promise<void> | null = null;
  let isFailing = false;
  let level: 'info' | 'warn' = periodic.isRunAtStart === true ? 'info' : 'warn';
  const runRound = async (): Promise<void> => {
    try {
      await periodic.run();
      isFailing = false;
    } catch (error) {
      if (!isFailing)
        scope.log[level]({ reason: messageOf(error) }, `${periodic.name} failed; it is tried again`);
      // A failure after the start is logged as a warning.
      isFailing = level === 'warn';
    } finally {
      level = 'warn';
      round = null;
    }
  };
  const start = (): void => {
    round ??= runRound();
  };
  if (periodic.isRunAtStart === true) start();
  const timer = setInterval(start, periodic.intervalMs);
  scope.onClose(periodic.name, async () => {
    clearInterval(timer);
    await round;
    if (periodic.isRunAtEnd === true) await runRound();
  });
}
