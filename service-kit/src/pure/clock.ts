/** The source of time. It is always an argument, so that tests can move it. */
export interface Clock {
  /** Epoch milliseconds, whole. */
  now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };
