import { SECOND_MS } from '@placard/service-kit/pure';

/** The largest catalog that is judged as a whole for each request. */
export const WHOLE_CAMPAIGNS_MAX = 256;
/** Length of a window in which requests are counted. */
export const WINDOW_MS = 10 * SECOND_MS;
/** Requests of a window that may be judged in a small catalog. */
export const JUDGED_MAX = 500;
/** Campaigns that may be judged in a window, when each request takes all of them. */
const JUDGED_CAMPAIGNS_MAX = 32_000;

/** Requests of a window that may be judged in a catalog of so many campaigns. */
export function judgedMaxOf(campaigns: number): number {
  const each = Math.min(Math.max(1, campaigns), WHOLE_CAMPAIGNS_MAX);
  return Math.min(JUDGED_MAX, JUDGED_CAMPAIGNS_MAX / each);
}

/**
 * The share of live requests that are judged for funnels: all of them while a window has few, and otherwise about as
 * many as may be judged. In a window with n requests after a quieter one, these are about `1 + ln(n / max)` times as
 * many.
 */
export class FunnelShare {
  #window = -1;
  #before = 0;
  #count = 0;

  /**
   * The probability with which to judge the next request, above 0 to 1. It depends on the numbers of requests only, so
   * a judged request stands for `1 / probability` requests. `judgedMax`: the requests of a window that may be judged.
   */
  next(atMs: number, judgedMax: number): number {
    const window = Math.floor(atMs / WINDOW_MS);
    if (window !== this.#window) {
      this.#before = window === this.#window + 1 ? this.#count : 0;
      this.#window = window;
      this.#count = 0;
    }
    this.#count += 1;
    return Math.min(1, judgedMax / Math.max(this.#before, this.#count));
  }
}
