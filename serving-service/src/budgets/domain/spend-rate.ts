import { SECOND_MS } from '@placard/service-kit/pure';

/** Time window of the spend rate. */
export const RATE_MS = 10 * SECOND_MS;

/** The spend of about the last ten seconds, in which older spend counts less. Nano-units, as a double. */
export class SpendRate {
  #nanos = 0;
  #atMs = 0;

  /** Adds spend. A negative amount takes spend back. */
  add(nanos: number, nowMs: number): void {
    this.#nanos = Math.max(0, this.at(nowMs) + nanos);
    this.#atMs = nowMs;
  }

  /** The rate at an instant. A clock that was set back adds nothing. */
  at(nowMs: number): number {
    return this.#nanos * Math.exp(-Math.max(0, nowMs - this.#atMs) / RATE_MS);
  }
}
