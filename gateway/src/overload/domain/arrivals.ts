/** Between two beats, in milliseconds. */
export const BEAT_MS = 10;

/**
 * Estimates when requests arrived that the process reads now. While the event loop is blocked, requests wait in the
 * operating system, and nobody can see since when. A late beat shows that it was blocked.
 */
export class Arrivals {
  #beatAt: number;
  #beatBefore: number;

  /** `now`: monotonic milliseconds, as in all methods. */
  constructor(now: number) {
    this.#beatAt = now;
    this.#beatBefore = now;
  }

  /** Called every {@link BEAT_MS}, or later when the event loop was blocked. */
  beat(now: number): void {
    this.#beatBefore = this.#beatAt;
    this.#beatAt = now;
  }

  /** The earliest instant at which a request that is read now can have arrived. */
  earliest(now: number): number {
    const wasBlocked = now - this.#beatBefore > 3 * BEAT_MS;
    return wasBlocked ? this.#beatBefore + BEAT_MS : now;
  }
}
