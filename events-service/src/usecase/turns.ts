/** Work that many may ask for and that runs one at a time. */
export interface Turns {
  /**
   * Resolves when a run that began after this call has ended, and rejects as that run does. Calls that arrive during a run
   * share the next one.
   */
  take(): Promise<void>;
  /** Resolves when nothing runs any more; no new run begins. */
  close(): Promise<void>;
}

/** Makes {@link Turns} of a piece of work. */
export function makeTurns(work: () => Promise<void>): Turns {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let isClosed = false;

  const run = (): Promise<void> => {
    if (isClosed) return Promise.resolve();
    const current = work().finally(() => {
      if (running === current) running = null;
    });
    running = current;
    return current;
  };

  return {
    take() {
      if (running === null) return run();
      next ??= running.then(ignore, ignore).then(() => {
        next = null;
        return run();
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
  // The run's own callers have heard of its failure.
}
