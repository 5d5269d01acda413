import { AdaptiveLimit, type CallResult } from './adaptive-limit.js';
import type { Door } from './door.js';
import { LIMIT_MIN, YIELDING_LIMIT_MIN } from './importance.js';

/** Longest wait of a call for its turn in a short burst, in milliseconds. */
export const BURST_WAIT_MS_MAX = 40;
/** Longest wait when calls have had to wait for a while. A longer queue would only make all answers late. */
export const BUSY_WAIT_MS_MAX = 5;
/** Calls that wait within this time of each other belong to one burst. A longer burst is an overload. */
const BURST_MS_MAX = 100;
/** An overload counts as such for this long after its last waiting call, in milliseconds. */
const OVERLOAD_MS = 1_000;
/** Most calls that wait. Bounds their memory. */
const WAITING_MAX = 1_000;

/** Where a door has its time from. */
export interface DoorTime {
  /** Monotonic milliseconds. */
  now(): number;
  /** Calls `run` once, soon after `atMs`. */
  runAt(atMs: number, run: () => void): unknown;
  /** Whether the process has had no rest lately. */
  isBusy(): boolean;
}

interface Waiting {
  readonly since: number;
  readonly onTurn: (isAdmitted: boolean) => void;
}

/**
 * Lets calls pass up to an adaptive limit. Others wait for a moment, in the order of their arrival, and are then refused.
 * So a short burst, as after a pause of the process, costs no refusal. In an overload hardly any call waits.
 */
export class AdaptiveDoor implements Door {
  readonly #limit: AdaptiveLimit;
  readonly #time: DoorTime;
  readonly #queue: Waiting[] = [];
  #running = 0;
  #isAdmitting = false;
  #hasTimer = false;
  /** When the first and the last call of the current burst began to wait, or got its turn. */
  #burstSince = 0;
  #burstSeenAt = -Infinity;

  /** `mustYield`: whether more important calls overload the process. The door may then become very narrow. */
  constructor(tolerance: number, mustYield: () => boolean, time: DoorTime) {
    const min = (): number => (mustYield() ? YIELDING_LIMIT_MIN : LIMIT_MIN);
    this.#limit = new AdaptiveLimit({ tolerance, min, isBusy: () => time.isBusy() }, time.now());
    this.#time = time;
  }

  get limit(): number {
    return this.#limit.current;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  isClosed(): boolean {
    const waiting = this.#queue.length;
    if (waiting === 0) return false;
    if (waiting >= WAITING_MAX) return true;
    const expectedMs = (waiting * this.#limit.latencyMs) / this.#limit.current;
    return expectedMs >= this.#waitMsMax(this.#time.now());
  }

  /** Whether there is an overload, or was one in the last second. A short burst is none. */
  isOverloaded(): boolean {
    const isLong = this.#burstSeenAt - this.#burstSince > BURST_MS_MAX;
    return isLong && this.#time.now() - this.#burstSeenAt < OVERLOAD_MS;
  }

  enter(): boolean {
    if (this.#queue.length > 0 || this.#running >= this.#limit.current) return false;
    this.#begin();
    return true;
  }

  enterLater(onTurn: (isAdmitted: boolean) => void): void {
    this.#limit.exceed();
    if (this.isClosed()) {
      onTurn(false);
      return;
    }
    const now = this.#time.now();
    if (now - this.#burstSeenAt > BURST_MS_MAX) this.#burstSince = now;
    this.#burstSeenAt = now;
    this.#queue.push({ since: now, onTurn });
    this.#watch();
  }

  leave(beganAt: number, result: CallResult | null): void {
    this.#running -= 1;
    if (result !== null) this.#limit.end(beganAt, this.#time.now(), result);
    if (this.#queue.length > 0) this.#admit();
  }

  #begin(): void {
    this.#running += 1;
    this.#limit.begin(this.#running);
  }

  #admit(): void {
    // A call that ends at once gets here again. The loop goes on for it.
    if (this.#isAdmitting) return;
    this.#isAdmitting = true;
    while (this.#running < this.#limit.current) {
      const next = this.#queue.shift();
      if (next === undefined) break;
      this.#burstSeenAt = this.#time.now();
      this.#begin();
      next.onTurn(true);
    }
    this.#isAdmitting = false;
  }

  #waitMsMax(now: number): number {
    return now - this.#burstSince > BURST_MS_MAX ? BUSY_WAIT_MS_MAX : BURST_WAIT_MS_MAX;
  }

  /** Refuses calls that have waited too long. */
  #watch(): void {
    if (this.#hasTimer) return;
    const [first] = this.#queue;
    if (first === undefined) return;
    this.#hasTimer = true;
    this.#time.runAt(first.since + this.#waitMsMax(this.#time.now()), () => {
      this.#hasTimer = false;
      const now = this.#time.now();
      const lateSince = now - this.#waitMsMax(now);
      let late = this.#queue.findIndex(({ since }) => since > lateSince);
      if (late < 0) late = this.#queue.length;
      for (const { onTurn } of this.#queue.splice(0, late)) onTurn(false);
      this.#watch();
    });
  }
}
