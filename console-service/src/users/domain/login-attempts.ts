import { MINUTE_MS } from '@placard/service-kit/pure';

/** The attempts for one name are counted in windows of this length. */
export const ATTEMPTS_WINDOW_MS = 15 * MINUTE_MS;
/** Most attempts for one name in a window. A right one sets the count back. */
const ATTEMPTS_MAX = 10;

/** When the window of an instant began, epoch ms. */
export function windowOf(nowMs: number): number {
  return nowMs - (nowMs % ATTEMPTS_WINDOW_MS);
}

/** Whole seconds until the next attempt is judged. Null: this one is. `count` includes this one. */
export function waitOf(count: number, nowMs: number): number | null {
  if (count <= ATTEMPTS_MAX) return null;
  return Math.ceil((windowOf(nowMs) + ATTEMPTS_WINDOW_MS - nowMs) / 1_000);
}
