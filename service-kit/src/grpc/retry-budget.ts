/** Retries per call in the long run. An outage adds no more load than this. */
const SHARE = 0.1;
/** Retries that are available at the start, and how many per second refill up to that, for clients with few calls. */
const FLOOR = 10;
const PER_SECOND = 1;
/** Most retries that are saved up. */
const SAVED_MAX = 100;

/**
 * Limits how many calls of one client are sent again, so that retries do not double the load of an outage. grpc-js has the
 * same (`retryThrottling`), but only for messages, and not for the calls in them.
 */
export class RetryBudget {
  #saved = FLOOR;
  #calls = 0;
  #seenAt: number;

  /** `now`: as of `performance.now()`. */
  constructor(now: number) {
    this.#seenAt = now;
  }

  /** Notes a call. */
  earn(): void {
    this.#calls += 1;
  }

  /** Takes one retry from the budget. Returns false if none is left. */
  take(now: number): boolean {
    const free = Math.min(FLOOR, this.#saved + ((now - this.#seenAt) / 1_000) * PER_SECOND);
    this.#saved = Math.min(SAVED_MAX, Math.max(this.#saved, free) + this.#calls * SHARE);
    this.#calls = 0;
    this.#seenAt = now;
    if (this.#saved < 1) return false;
    this.#saved -= 1;
    return true;
  }
}
