/** Work that many may ask for and that runs one at a time. */
export interface SingleFlight {
  /**
   * Resolves when a run that began after this call has ended, and rejects as that run does. Calls that arrive during a run
   * share the next one.
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
  // The failure was reported to the callers of that run.
}
