import type { CallResult } from './adaptive-limit.js';

/** Where calls of one kind pass, or are refused. */
export interface Door {
  /** Most calls that run at the same time, at present. */
  readonly limit: number;
  readonly running: number;
  readonly waiting: number;
  /** Whether a further call would be refused. */
  isClosed(): boolean;
  /** Begins a call. False: it may not begin at once. */
  enter(): boolean;
  /**
   * Begins a call when it is its turn. `onTurn` is called once, perhaps before this returns; false: it is refused. It must not
   * throw, because it may run at the end of another call.
   */
  enterLater(onTurn: (isAdmitted: boolean) => void): void;
  /**
   * Ends a call that began at `beganAt`, on the clock of the door. Null: its latency says nothing about the load, because
   * it was not valid, or its caller has left.
   */
  leave(beganAt: number, result: CallResult | null): void;
}
