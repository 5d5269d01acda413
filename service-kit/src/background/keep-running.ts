import { messageOf } from '../process/errors.js';
import type { Scope } from '../process/scope.js';
import { makeFailureLog } from './failure-log.js';

/** By which part of itself an interval is shortened at most, unless its options say otherwise. */
const JITTER = 0.1;

/** Work that is done again and again. */
export interface KeepRunningOptions {
  /** What is done, for the log: `pruning the log`. */
  readonly name: string;
  /**
   * Longest time from the start of a run to the start of the next, in milliseconds. Of a run that takes longer the next one
   * begins within an interval after its end.
   */
  readonly intervalMs: number;
  /** Throws or rejects when the run has failed. `isLast`: the scope closes, and no other run follows. */
  readonly run: (isLast: boolean) => unknown;
  /**
   * Each interval is shortened by chance, by this part of it at most (0..1), so that replicas do not run in step. Default 0.1.
   */
  readonly jitter?: number;
  /** True: the first run begins at once. It may come before stores and peers do: its failure is no warning. Default false. */
  readonly isRunAtStart?: boolean;
  /** True: when the scope closes, it runs once more, so that nothing is left behind. Default false. */
  readonly isRunAtEnd?: boolean;
  /** Receives the error of each failed run, for metrics. Default: nothing. */
  readonly onFailure?: (error: unknown) => void;
}

/** Work that {@link keepRunning} keeps running. */
export interface Running {
  /** Begins a run now, or one more behind the run that is under way. Does nothing once the scope closes. */
  runNow(): void;
}

/**
 * Runs something at an interval until the scope closes: one run at a time. A run that fails is followed by the next; the log
 * has it once per outage ({@link makeFailureLog}). Closing waits for the run that is under way.
 */
export function keepRunning(
  scope: Pick<Scope, 'log' | 'random' | 'timers' | 'onClose'>,
  options: KeepRunningOptions,
): Running {
  const { name, intervalMs, jitter = JITTER, isRunAtStart = false, isRunAtEnd = false } = options;
  const failures = makeFailureLog(scope.log, name, { isFirstQuiet: isRunAtStart });
  let running: Promise<void> | null = null;
  let isAgainWanted = false;
  let isClosed = false;
  let cancelNext = (): void => undefined;

  const schedule = (): void => {
    cancelNext();
    cancelNext = scope.timers.after(intervalMs * (1 - jitter * scope.random.next()), tick);
  };
  const tick = (): void => {
    schedule();
    running ??= runOnce().then(goOn);
  };
  const runOnce = async (): Promise<void> => {
    try {
      await options.run(false);
      failures.worked();
    } catch (error) {
      options.onFailure?.(error);
      failures.failed(error);
    }
  };
  const goOn = (): void => {
    running = null;
    if (isAgainWanted) runNow();
  };
  const runNow = (): void => {
    isAgainWanted = running !== null;
    if (!isClosed && !isAgainWanted) tick();
  };
  const runLast = async (): Promise<void> => {
    try {
      await options.run(true);
    } catch (error) {
      options.onFailure?.(error);
      scope.log.warn({ reason: messageOf(error) }, `${name} failed at the end; it is not tried again`);
    }
  };

  if (isRunAtStart) tick();
  else schedule();
  scope.onClose(name, async () => {
    isClosed = true;
    cancelNext();
    await running;
    if (isRunAtEnd) await runLast();
  });
  return { runNow };
}
