import { MINUTE_MS } from '@placard/service-kit/pure';

/**
 * What one bucket has counted in a clock minute and in the one before. Contract: docs/contract/rate-limits.md#window.
 * `../store/rate-limit-take.lua` keeps the same rules inside Redis; one suite of tests holds both to them.
 */
export interface Window {
  /** Whole minutes since 1970-01-01 UTC. */
  readonly minute: number;
  readonly count: number;
  readonly previousCount: number;
}

/** Longest wait in an answer, in seconds. */
export const RETRY_AFTER_SECONDS_MAX = 60;
/** How far a stored minute may be ahead of a clock that runs late, in minutes; more is damage, and the window starts anew. */
const CLOCK_SKEW_MINUTES_MAX = 1;

/** The window as it stands at `nowMs`; null (nothing stored) is an empty one. A clock that runs late keeps the later minute. */
export function windowAt(stored: Window | null, nowMs: number): Window {
  const minute = Math.floor(nowMs / MINUTE_MS);
  if (stored === null) return { minute, count: 0, previousCount: 0 };
  const isNear = stored.minute >= minute && stored.minute <= minute + CLOCK_SKEW_MINUTES_MAX;
  if (isNear) return stored;
  if (stored.minute === minute - 1) return { minute, count: 0, previousCount: stored.count };
  return { minute, count: 0, previousCount: 0 };
}

/** Milliseconds of the window's minute that have passed, 0..59,999. */
function elapsedMs(window: Window, nowMs: number): number {
  return Math.max(0, nowMs - window.minute * MINUTE_MS);
}

/**
 * How many more requests pass: one does while the minute's count and the previous one's, weighted by what still
 * overlaps, are below the limit. A previous count above the limit (it was lowered) weighs as the limit, so that no wait
 * exceeds a minute.
 */
export function remaining(window: Window, limit: number, nowMs: number): number {
  const overlapMs = MINUTE_MS - 1 - elapsedMs(window, nowMs);
  const previous = Math.min(window.previousCount, limit) * overlapMs;
  return Math.max(0, Math.ceil((limit * MINUTE_MS - previous) / MINUTE_MS) - window.count);
}

/** The window with so many more requests in it. */
export function counted(window: Window, requests: number): Window {
  return { ...window, count: window.count + requests };
}

/** The window without a request that was counted at `takenAtMs` and then refused for another reason. */
export function uncounted(window: Window, takenAtMs: number): Window {
  const age = window.minute - Math.floor(takenAtMs / MINUTE_MS);
  if (age <= 0) return { ...window, count: Math.max(0, window.count - 1) };
  if (age === 1) return { ...window, previousCount: Math.max(0, window.previousCount - 1) };
  return window;
}

/**
 * Whole seconds, 1..60, after which one request passes when no other comes.
 * Contract: docs/contract/rate-limits.md#retry-after. Within the minute the previous count fades; a full minute must
 * end first.
 */
export function retryAfterSeconds(window: Window, limit: number, nowMs: number): number {
  const count = Math.min(window.count, limit);
  const previous = Math.min(window.previousCount, limit);
  const nowElapsedMs = elapsedMs(window, nowMs);
  let passesAtMs = MINUTE_MS;
  if (count < limit && previous > 0) {
    const freeMs = ((limit - count) * MINUTE_MS) / previous;
    passesAtMs = Math.floor(MINUTE_MS - 1 - freeMs) + 1;
  }
  const seconds = Math.ceil((passesAtMs - nowElapsedMs) / 1_000);
  return Math.min(RETRY_AFTER_SECONDS_MAX, Math.max(1, seconds));
}
