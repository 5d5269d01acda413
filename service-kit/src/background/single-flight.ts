import { appError } from '../process/errors.js';

/** Work that many may ask for and that runs one at a time. */
export interface SingleFlight<Result> {
  /**
   * Resolves or rejects as a run does that began after this call. Calls that come during a run share the next one. Error
   * `unavailable` after the close.
   */
  run(): Promise<Result>;
  /** Resolves when nothing runs any more; no new run begins. */
  close(): Promise<void>;
}

/** Makes {@link SingleFlight} of a piece of work. */
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
