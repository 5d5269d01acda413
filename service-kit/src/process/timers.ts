/** Where waits come from; part of every scope, so that tests move time. A wait keeps no process alive. */
export interface Timers {
  /** Calls `run` once, `ms` milliseconds from now; not when the function that it answers is called before. */
  after(ms: number, run: () => void): () => void;
}

/** The machine's timers. */
export const systemTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
