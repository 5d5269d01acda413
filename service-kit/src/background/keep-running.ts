import { messageOf } from '../process/errors.js';
import type { Scope } from '../process/scope.js';
import { makeFailureLog } from './failure-log.js';

/** Default of {@link KeepRunningOptions.jitter}. */
const JITTER = 0.1;

/** Periodic work. */
export interface KeepRunningOptions {
  /** Describes the work in the log: `pruning the log`. */
  readonly name: string;
  /**
   * Longest time from the start of a run to the start of the next, in milliseconds. After a longer run, the next one begins
   * within an interval of its end.
   */
  readonly intervalMs: number;
  /** Throws or rejects when the run has failed. `isLast`: the scope closes, and no other run follows. */
  readonly run: (isLast: boolean) => unknown;
  /**
   * Largest share (0..1) by which chance shortens an interval, so that replicas do not run in step. Default 0.1.
   */
  readonly jitter?: number;
  /** True: the first run begins at once. Its failure is no warning, as stores and peers may start later. Default false. */
  readonly isRunAtStart?: boolean;
  /** True: when the scope closes, it runs once more, for work that is left. Default false. */
  readonly isRunAtEnd?: boolean;
  /** Receives the error of each failed run, for metrics. Default: nothing. */
  readonly onFailure?: (error: unknown) => void;
}

/** Work that {@link keepRunning} keeps running. */
export interface Running {
  /** Begins a run now, or after the current one. Does nothing once the scope closes. */
  runNow(): void;
}

/**
 * Repeats work at an interval until the scope closes, one run at a time. A failed run is followed by the next. The log has
 * each outage once ({@link makeFailureLog}). Closing waits for the current run.
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
