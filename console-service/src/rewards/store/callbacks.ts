import type { Attempt, CallbackRow, CallbackStatus, DueCallback, Reward } from '../domain/reward-callback.js';

/** What a page of the log shows. Null: any. */
export interface CallbackPage {
  readonly publisherId: string | null;
  readonly appId: string | null;
  /** `app/code`. */
  readonly placementId: string | null;
  readonly requestId: string | null;
  readonly status: CallbackStatus | null;
  /** Only ads before this one; null: from the newest. */
  readonly before: string | null;
  readonly rowsMax: number;
}

/** The result of an attempt. Instants are epoch ms. */
export interface AttemptResult {
  readonly atMs: number;
  /** Null: the receiver accepted it. */
  readonly fault: string | null;
  /** Null: the round is over. */
  readonly nextAtMs: number | null;
}

/** An attempt, and when it is due in epoch ms. */
export interface DueAttempt extends Attempt {
  readonly nextAtMs: number;
}

/** Where a page of due attempts begins: behind this one. Null: at the first. */
export type DuePlace = Pick<DueAttempt, 'nextAtMs' | 'requestId'> | null;

/** Callbacks that wait for an attempt. */
export interface WaitingCallbacks {
  /** Counted up to a bound. */
  readonly count: number;
  /** When the oldest of their rewards was accepted, epoch ms; null: none waits. */
  readonly oldestAtMs: number | null;
}

/** A callback whose next round has begun, and the first attempt of that round. */
export interface Replayed {
  readonly row: CallbackRow;
  readonly attempt: DueAttempt;
}

/** Callbacks of rewards. Every method may fail with `unavailable`. */
export interface CallbackStore {
  /**
   * Stores the rewards whose placement has a callback now (epoch ms), each once, and returns the attempts of those that are
   * new.
   */
  add(rewards: readonly Reward[], nowMs: number): Promise<readonly DueAttempt[]>;
  /** Null: the attempt was made, the round is over, or a replay has begun another one. */
  readDue(attempt: Attempt): Promise<DueCallback | null>;
  /** Attempts that are due until an instant (epoch ms), first ones first. */
  listDue(untilMs: number, after: DuePlace, countMax: number): Promise<readonly DueAttempt[]>;
  /** Stores the result of an attempt. Does nothing when a replay has begun another round. */
  mark(attempt: Attempt, result: AttemptResult): Promise<void>;
  /** Newest ads first. */
  list(page: CallbackPage): Promise<readonly CallbackRow[]>;
  /**
   * Begins the next round, with a row of the audit. `unknown`: there is no such callback. `no_address`: its placement has no
   * callback address, so nothing is changed.
   */
  replay(
    requestId: string,
    by: { readonly atMs: number; readonly actor: string },
  ): Promise<Replayed | 'unknown' | 'no_address'>;
  waiting(): Promise<WaitingCallbacks>;
  /** Deletes callbacks that were stored before an instant (epoch ms) and wait no longer. */
  prune(beforeMs: number): Promise<void>;
}
