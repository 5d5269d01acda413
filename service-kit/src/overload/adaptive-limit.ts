/** How a call ended. `failed`: the peer or a store did not answer. `refused`: it had too much to do itself. */
export type CallResult = 'answered' | 'failed' | 'refused';

/** How a limit judges latencies. */
export interface LimitRules {
  /** The latency that is tolerated, as a multiple of the usual one. */
  readonly tolerance: number;
  /** The limit is never lower than this, at present. */
  min(): number;
  /** Whether the process itself has had no rest lately. Then it causes the latency, whatever the limit is. */
  isBusy(): boolean;
}

/** The limit of a process that has seen no calls yet. */
const START = 128;
/** Bounds the memory of the calls. */
export const LIMIT_MAX = 1_000;
/** A window has at least this length in milliseconds, and this number of calls that began in it. */
const WINDOW_MS_MIN = 100;
const WINDOW_CALLS_MIN = 10;
/** A usual latency below this, in milliseconds, counts as this. Shorter waits do not matter to anybody. */
export const USUAL_MS_MIN = 4;
/** A window shrinks the limit to this part of it at the least. */
const SHRINK_MIN = 0.25;
/** What remains of the limit when a peer refuses calls. */
const PUSHED_BACK = 0.9;
/** The usual latency follows lower latencies in about this time, and higher ones in the longer time. */
const FALL_MS = 10_000;
const RISE_MS = 60_000;
/** At the smallest limit calls do not wait for each other, so a higher latency is the usual one soon. */
const RISE_AT_MIN_MS = 5_000;

/**
 * The number of calls that may run at the same time. It follows their latency: while the mean latency of a window is
 * below the tolerated multiple of the usual latency, the limit grows by its square root where it is used. Above it, the
 * limit shrinks by the same ratio, because the number of running calls is throughput times latency.
 *
 * The usual latency is an average over a minute. Windows in which calls were refused do not raise it, because in these the
 * limit itself decides the latency. Windows of a busy process do not raise it either. Time is an argument, in milliseconds
 * of any monotonic clock.
 */
export class AdaptiveLimit {
  readonly #rules: LimitRules;
  #limit = START;
  #usualMs: number | null = null;
  #latencyMs = USUAL_MS_MIN;
  #window: Window;

  constructor(rules: LimitRules, now: number) {
    this.#rules = rules;
    this.#window = windowFrom(now);
  }

  /** A whole number from the minimum to {@link LIMIT_MAX}. */
  get current(): number {
    return Math.floor(Math.max(this.#limit, this.#rules.min()));
  }

  /** Mean latency of the last window, in milliseconds. */
  get latencyMs(): number {
    return this.#latencyMs;
  }

  /** Notes that a call begins, as one of `running` calls. */
  begin(running: number): void {
    if (running > this.#window.mostRunning) this.#window.mostRunning = running;
  }

  /** Notes that a call had to wait or was refused, because the limit was reached. */
  exceed(): void {
    this.#window.isExceeded = true;
  }

  /** Notes the end of a call. */
  end(beganAt: number, now: number, result: CallResult): void {
    const window = this.#window;
    if (result === 'refused') window.isPushedBack = true;
    else if (beganAt >= window.beganAt) {
      // Calls from before the window say nothing about the limit that was set at its begin.
      window.calls += 1;
      window.sumMs += now - beganAt;
      if (result === 'failed') window.hasFailures = true;
    }
    const isOver = window.calls >= WINDOW_CALLS_MIN || window.isPushedBack;
    if (isOver && now - window.beganAt >= WINDOW_MS_MIN) this.#close(now);
  }

  #close(now: number): void {
    const { calls, sumMs, mostRunning, isPushedBack } = this.#window;
    if (calls > 0) this.#latencyMs = sumMs / calls;
    const tolerated = this.#rules.tolerance * Math.max(this.#usualMs ?? this.#latencyMs, USUAL_MS_MIN);
    const used = Math.min(this.#limit, 2 * mostRunning);
    if (calls > 0 && this.#latencyMs > tolerated) {
      this.#set(used * Math.max(SHRINK_MIN, tolerated / this.#latencyMs));
    } else if (isPushedBack) {
      this.#set(used * PUSHED_BACK);
    } else if (used === this.#limit) {
      this.#set(this.#limit + Math.sqrt(this.#limit));
    }
    if (calls > 0) this.#learn(now - this.#window.beganAt);
    this.#window = windowFrom(now);
  }

  #set(limit: number): void {
    this.#limit = Math.min(LIMIT_MAX, Math.max(this.#rules.min(), limit));
  }

  #learn(elapsedMs: number): void {
    const { isExceeded, hasFailures } = this.#window;
    if (hasFailures) return;
    const isAtMin = this.#limit <= this.#rules.min();
    this.#usualMs ??= this.#latencyMs;
    if (this.#latencyMs > this.#usualMs && ((isExceeded && !isAtMin) || this.#rules.isBusy())) return;
    const riseMs = isExceeded && isAtMin ? RISE_AT_MIN_MS : RISE_MS;
    const afterMs = this.#latencyMs < this.#usualMs ? FALL_MS : riseMs;
    this.#usualMs += (this.#latencyMs - this.#usualMs) * (1 - Math.exp(-elapsedMs / afterMs));
  }
}

/** The calls since the last change of the limit. */
interface Window {
  readonly beganAt: number;
  calls: number;
  sumMs: number;
  mostRunning: number;
  isExceeded: boolean;
  isPushedBack: boolean;
  hasFailures: boolean;
}

function windowFrom(beganAt: number): Window {
  return {
    beganAt,
    calls: 0,
    sumMs: 0,
    mostRunning: 0,
    isExceeded: false,
    isPushedBack: false,
    hasFailures: false,
  };
}
