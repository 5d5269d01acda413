/** Work with many callers that runs one at a time. */
export interface SingleFlight {
  /**
   * Resolves when a run that began after this call has ended, and rejects when that run fails. Calls during a run share the
   * next run.
   */
  run(): Promise<void>;
  /** Resolves when nothing runs any more; no new run begins. */
  close(): Promise<void>;
}

/** Makes {@link SingleFlight} of a piece of work. */
export function makeSingleFlight(work: () => Promise<void>): SingleFlight {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let isClosed = false;

  const start = (): Promise<void> => {
    if (isClosed) return Promise.resolve();
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
  // The callers of that run received the failure.
}
