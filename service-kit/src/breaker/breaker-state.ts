/** The first pause between two trials, in milliseconds. It doubles with each trial that is late. */
export const PAUSE_MS_MIN = 200;
/** A trial that has not ended after this time no longer keeps the next one back, in milliseconds. */
export const TRIAL_MS_MAX = 10_000;
/** Length of the window of the share, in milliseconds. */
export const WINDOW_MS = 10_000;
/** Late calls in a row that open the breaker. */
export const LATE_IN_ROW = 2;
/** Fewer calls in the window say nothing about the share. */
export const WINDOW_CALLS_MIN = 20;
/** Share of late calls in the window (0..1) that opens the breaker. */
export const LATE_SHARE = 0.5;

/** A call that was admitted. */
export interface Attempt {
  /** Monotonic milliseconds. */
  readonly startedAt: number;
}

/**
 * Decides which calls of a dependency are made. All times are monotonic milliseconds.
 *
 * A call ends in time, with an answer or an error, or it is late. The breaker opens when two calls in a row are late and no
 * call has ended in time since each began, or when at least half of the calls of the last ten seconds were late. While it
 * is open, one call at a time is admitted: the trial. A trial that ends in time closes it.
 */
export class BreakerState {
  readonly #pauseMsMax: number;
  readonly #window = new Window();
  /** When a call last ended in time. */
  #inTimeAt = -Infinity;
  /** Calls that were late while no call ended in time. */
  #lateInRow = 0;
  #isOpen = false;
  /** The trial that has not ended. Null: there is none. */
  #trial: Attempt | null = null;
  #pauseMs = PAUSE_MS_MIN;
  #nextTrialAt = 0;

  /** `pauseMsMax`: longest pause between two trials. */
  constructor(pauseMsMax: number) {
    this.#pauseMsMax = pauseMsMax;
  }

  /** Whether {@link admit} would admit a call. */
  admits(now: number): boolean {
    if (!this.#isOpen) return true;
    const isTried = this.#trial !== null && now - this.#trial.startedAt < TRIAL_MS_MAX;
    return !isTried && now >= this.#nextTrialAt;
  }

  /** Admits a call, as the trial if the breaker is open. Null: the call must not be made. */
  admit(now: number): Attempt | null {
    if (!this.admits(now)) return null;
    const attempt = { startedAt: now };
    if (this.#isOpen) this.#trial = attempt;
    return attempt;
  }

  /** Notes that a call has ended in time. Returns true if that closes the breaker. */
  inTime(attempt: Attempt, now: number): boolean {
    this.#inTimeAt = now;
    this.#lateInRow = 0;
    this.#window.add(now, false);
    if (attempt !== this.#trial) return false;
    this.#isOpen = false;
    this.#trial = null;
    this.#window.clear();
    return true;
  }

  /**
   * Notes that a call has reached its time limit. It may still end: see {@link release}. Returns true if that opens the
   * breaker.
   */
  late(attempt: Attempt, now: number): boolean {
    if (this.#isOpen) return false;
    this.#window.add(now, true);
    if (this.#inTimeAt <= attempt.startedAt) this.#lateInRow += 1;
    if (this.#lateInRow < LATE_IN_ROW && !this.#window.isMostlyLate(now)) return false;
    this.#isOpen = true;
    this.#lateInRow = 0;
    this.#pauseMs = Math.min(PAUSE_MS_MIN, this.#pauseMsMax);
    this.#nextTrialAt = now + this.#pauseMs;
    return true;
  }

  /** Notes the end of a call that was late, or whose end says nothing. `isAnswered`: it ended without an error. */
  release(attempt: Attempt, isAnswered: boolean, now: number): void {
    if (attempt !== this.#trial) return;
    this.#trial = null;
    if (isAnswered) {
      this.#nextTrialAt = now;
      return;
    }
    this.#nextTrialAt = now + this.#pauseMs;
    this.#pauseMs = Math.min(2 * this.#pauseMs, this.#pauseMsMax);
  }
}

const BUCKETS = 10;
const BUCKET_MS = WINDOW_MS / BUCKETS;

/** Counts of the last ten seconds, by second. */
class Window {
  readonly #calls = new Array<number>(BUCKETS).fill(0);
  readonly #late = new Array<number>(BUCKETS).fill(0);
  #second = 0;

  add(now: number, isLate: boolean): void {
    this.#moveTo(now);
    const bucket = this.#second % BUCKETS;
    (this.#calls[bucket] as number) += 1;
    if (isLate) (this.#late[bucket] as number) += 1;
  }

  isMostlyLate(now: number): boolean {
    this.#moveTo(now);
    const calls = sumOf(this.#calls);
    return calls >= WINDOW_CALLS_MIN && sumOf(this.#late) >= calls * LATE_SHARE;
  }

  clear(): void {
    this.#calls.fill(0);
    this.#late.fill(0);
  }

  #moveTo(now: number): void {
    const second = Math.floor(now / BUCKET_MS);
    if (second - this.#second >= BUCKETS) this.clear();
    else
      for (let each = this.#second + 1; each <= second; each += 1) {
        this.#calls[each % BUCKETS] = 0;
        this.#late[each % BUCKETS] = 0;
      }
    this.#second = Math.max(this.#second, second);
  }
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
