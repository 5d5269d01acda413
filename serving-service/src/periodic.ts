import { messageOf, type Scope } from '@placard/service-kit';

/** Work that is done again and again for the life of the process. */
export interface Periodic {
  readonly name: string;
  readonly intervalMs: number;
  readonly run: () => Promise<unknown>;
  /** True: at once too, before the first interval is over. */
  readonly isRunAtStart?: boolean;
  /** True: once more at the end, so that nothing is left behind. */
  readonly isRunAtEnd?: boolean;
}

/**
 * Runs it at the interval, one round at a time; a round that fails is made up for by the next. The first failure after a
 * success is logged, the following ones are not. A round at the start may come before the other services do: its failure is
 * no warning.
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
      // What fails after the start as well is worth its warning.
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
