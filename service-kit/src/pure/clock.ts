/** Where time comes from; an argument everywhere, so that tests move it. */
export interface Clock {
  /** Epoch milliseconds, whole. */
  now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };
