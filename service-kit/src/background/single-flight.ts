import { appError } from '../process/errors.js';

/** Work with many callers, of which one run is under way at a time. */
export interface SingleFlight<Result> {
  /**
   * Has the outcome of a run that begins after this call. Calls during a run share the next one. Error `unavailable` after the
   * close.
   */
  run(): Promise<Result>;
  /** Begins no new run. Resolves when the current one has ended. */
  close(): Promise<void>;
}

/** Makes a {@link SingleFlight} of `work`. */
export function makeSingleFlight<Result>(work: () => Promise<Result>): SingleFlight<Result> {
  let running: Promise<Result> | null = null;
  let next: Promise<Result> | null = null;
  let isClosed = false;

  const start = (): Promise<Result> => {
    if (isClosed) return Promise.reject(appError('unavailable', 'The process stops: nothing new begins.'));
    const current = work().finally(() => {
      if (running === current) running = null;
    });
    running = current;
    return current;
  };

  return {
    run() {
      if (running === null) return start();
      next ??= running.then(ignore, ignore).then(() => {
        next = null;
        return start();
      });
      return next;
    },
    async close() {
      isClosed = true;
      await Promise.allSettled([running, next]);
    },
  };
}

function ignore(): void {
  // The callers of that run have its result.
}
