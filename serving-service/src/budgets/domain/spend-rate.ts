import { SECOND_MS } from '@placard/service-kit/pure';

/** Time over which spending is looked at. */
export const RATE_MS = 10 * SECOND_MS;

/** What was spent in about the last ten seconds: older spending counts for less and less. Nano-units, as a double. */
export class SpendRate {
  #nanos = 0;
  #atMs = 0;

  /** Adds what was spent; below 0 it was not spent after all. */
  add(nanos: number, nowMs: number): void {
    this.#nanos = Math.max(0, this.at(nowMs) + nanos);
    this.#atMs = nowMs;
  }

  /** A clock that was set back adds nothing. */
  at(nowMs: number): number {
    return this.#nanos * Math.exp(-Math.max(0, nowMs - this.#atMs) / RATE_MS);
  }
}
