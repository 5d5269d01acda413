/** Tells the settlement that something waits. */
export interface Waker {
  /** Never waits and never fails: what is not said is found by the sweep. */
  wake(): void;
}

/** How a {@link Waker} speaks. */
export interface WakerOptions {
  /** Adds a job; may fail. */
  readonly send: () => Promise<void>;
  /** Least time between two jobs, milliseconds: a worker takes all that waits, so more jobs say nothing new. */
  readonly gapMs: number;
  readonly onFailure: () => void;
}

/** Makes a {@link Waker} with at most one job on its way. */
export function makeWaker(options: WakerOptions): Waker {
  let isResting = false;
  let isWanted = false;

  const rest = (): void => {
    isResting = false;
    if (isWanted) wake();
  };
  const wake = (): void => {
    isWanted = isResting;
    if (isResting) return;
    isResting = true;
    void options
      .send()
      .catch(options.onFailure)
      .finally(() => setTimeout(rest, options.gapMs));
  };
  return { wake };
}
