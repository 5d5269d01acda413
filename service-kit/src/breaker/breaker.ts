import { runAt } from '../process/coarse-timers.js';
import { appError, type AppError } from '../process/errors.js';
import type { Logger } from '../process/logs.js';
import type { Scope } from '../process/scope.js';
import { makeBreakerFigures, type BreakerFigures } from './breaker-figures.js';
import { BreakerState, type Attempt } from './breaker-state.js';

/** Longest pause between two trials unless an option says otherwise, in milliseconds. */
const PAUSE_MS_MAX = 1_000;
/** A timer that is later than this shows that this process stood still. Then a late call says nothing. Milliseconds. */
const STALL_MS = 100;

/** Options of a breaker. */
export interface BreakerOptions {
  /** What the calls need, such as `redis`: for log, metrics and errors. */
  readonly dependency: string;
  /** Longest pause between two trials, in milliseconds. Default 1,000. */
  readonly pauseMsMax?: number;
}

/** Where a breaker gets its time from. Tests move it. */
export interface BreakerTime {
  /** Monotonic milliseconds. */
  now(): number;
  /** Calls `run` once, at `atMs` of `now`, unless the timer is cancelled before. */
  runAt(atMs: number, run: () => void): { cancel(): void };
}

/** An object whose methods are asynchronous calls of a dependency. */
export type Calls<T> = Readonly<Record<keyof T, (...args: never[]) => Promise<unknown>>>;

/** A call that a breaker admitted. It must be ended once. */
export interface AdmittedCall {
  /** The dependency has answered or failed in time. */
  inTime(): void;
  /**
   * The call has ended at its time limit without an answer. `overdueMs`: how much later than its limit, in milliseconds; a
   * large value shows that this process stood still.
   */
  late(overdueMs: number): void;
  /** The end of the call says nothing about the dependency. */
  unclear(): void;
}

/**
 * Keeps callers from waiting for a dependency that does not answer in time. While it is open, all calls but one at a time
 * are refused at once. Errors of the dependency do not open it: they cost no time.
 * docs/decisions/0010-breakers.md says why.
 */
export interface Breaker {
  /** Whether the next call would be made. */
  readonly admits: boolean;
  /** Admits a call whose caller limits its time. Null: it must not be made; its caller gets {@link refusal}. */
  admit(): AdmittedCall | null;
  /** The error of a call that is not made: `unavailable`. */
  refusal(): AppError;
  /**
   * Makes a call that may take `limitMs` milliseconds. Rejects with the error of the call, or with `unavailable` when it is
   * refused or late. A late call goes on: what it does may be done.
   */
  run<T>(limitMs: number, call: () => Promise<T>): Promise<T>;
  /** The same object, each of whose methods goes through {@link run}. */
  guard<T extends Calls<T>>(limitMs: number, target: T): T;
}

const systemTime: BreakerTime = { now: () => performance.now(), runAt };

/** Opens the breaker of a dependency. A process has one for each name. */
export function openBreaker(
  scope: Pick<Scope, 'log' | 'metrics' | 'once'>,
  options: BreakerOptions,
  time: BreakerTime = systemTime,
): Breaker {
  return new TimedBreaker(scope, options, time);
}

class TimedBreaker implements Breaker {
  readonly #dependency: string;
  readonly #log: Logger;
  readonly #time: BreakerTime;
  readonly #state: BreakerState;
  readonly #figures: BreakerFigures;

  constructor(
    scope: Pick<Scope, 'log' | 'metrics' | 'once'>,
    { dependency, pauseMsMax = PAUSE_MS_MAX }: BreakerOptions,
    time: BreakerTime,
  ) {
    this.#dependency = dependency;
    this.#log = scope.log;
    this.#time = time;
    this.#state = new BreakerState(pauseMsMax);
    this.#figures = scope.once(makeBreakerFigures);
    this.#figures.state.set({ dependency }, 0);
    this.#figures.opens.inc({ dependency }, 0);
    this.#figures.refusals.inc({ dependency }, 0);
  }

  get admits(): boolean {
    return this.#state.admits(this.#time.now());
  }

  admit(): AdmittedCall | null {
    const attempt = this.#admit();
    if (attempt === null) return null;
    return {
      inTime: () => this.#inTime(attempt),
      late: (overdueMs) => {
        this.#late(attempt, overdueMs);
        this.#release(attempt, false);
      },
      unclear: () => this.#release(attempt, false),
    };
  }

  refusal(): AppError {
    return appError('unavailable', `${this.#dependency} does not answer in time.`);
  }

  run<T>(limitMs: number, call: () => Promise<T>): Promise<T> {
    const attempt = this.#admit();
    if (attempt === null) return Promise.reject(this.refusal());
    return new Promise((resolve, reject) => {
      let isLate = false;
      let waiting: NodeJS.Immediate | null = null;
      const dueAt = attempt.startedAt + limitMs;
      const giveUp = (): void => {
        isLate = true;
        this.#late(attempt, this.#time.now() - dueAt);
        reject(this.refusal());
      };
      // After a stall of this process the answer may be received but unread. It gets one more turn of the event loop.
      const timer = this.#time.runAt(dueAt, () => (waiting = setImmediate(giveUp)));
      const end = (isAnswered: boolean): void => {
        timer.cancel();
        if (waiting !== null) clearImmediate(waiting);
        if (isLate) this.#release(attempt, isAnswered);
        else this.#inTime(attempt);
      };
      begin(call).then(
        (answer) => {
          end(true);
          resolve(answer);
        },
        (error: unknown) => {
          end(false);
          reject(toError(error));
        },
      );
    });
  }

  guard<T extends Calls<T>>(limitMs: number, target: T): T {
    const methods = Object.entries<(...args: never[]) => Promise<unknown>>(target);
    const guarded = methods.map(([name, method]) => [
      name,
      (...args: never[]) => this.run(limitMs, () => method.apply(target, args)),
    ]);
    return Object.fromEntries(guarded) as T;
  }

  #admit(): Attempt | null {
    const attempt = this.#state.admit(this.#time.now());
    if (attempt === null) this.#figures.refusals.inc({ dependency: this.#dependency });
    return attempt;
  }

  #inTime(attempt: Attempt): void {
    if (!this.#state.inTime(attempt, this.#time.now())) return;
    this.#figures.state.set({ dependency: this.#dependency }, 0);
    this.#log.info({ dependency: this.#dependency }, 'the dependency answers in time again');
  }

  #late(attempt: Attempt, overdueMs: number): void {
    if (overdueMs > STALL_MS || !this.#state.late(attempt, this.#time.now())) return;
    const labels = { dependency: this.#dependency };
    this.#figures.state.set(labels, 1);
    this.#figures.opens.inc(labels);
    this.#log.warn(labels, 'the dependency does not answer in time; it gets one call at a time');
  }

  #release(attempt: Attempt, isAnswered: boolean): void {
    this.#state.release(attempt, isAnswered, this.#time.now());
  }
}

/** A call that throws at once has failed in time, like one that rejects. */
function begin<T>(call: () => Promise<T>): Promise<T> {
  try {
    return call();
  } catch (error) {
    return Promise.reject(toError(error));
  }
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
