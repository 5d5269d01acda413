import { MINUTE_MS } from '@placard/service-kit/pure';

/**
 * The counts of one bucket in a clock minute and in the minute before. Contract: docs/contract/rate-limits.md#window.
 * `../store/rate-limit-take.lua` implements the same rules in Redis; one test suite checks both.
 */
export interface Window {
  /** Whole minutes since 1970-01-01 UTC. */
  readonly minute: number;
  readonly count: number;
  readonly previousCount: number;
}

/** Longest wait in an answer, in seconds. */
export const RETRY_AFTER_SECONDS_MAX = 60;
/**
 * Largest lead of a stored minute over the clock, in minutes, which a late clock explains. A larger lead is damage, and
 * the window starts again.
 */
const CLOCK_SKEW_MINUTES_MAX = 1;

/**
 * The window at `nowMs`. Null (nothing stored) is an empty window. With a late clock the stored, later minute is kept.
 */
export function windowAt(stored: Window | null, nowMs: number): Window {
  const minute = Math.floor(nowMs / MINUTE_MS);
  if (stored === null) return { minute, count: 0, previousCount: 0 };
  const isNear = stored.minute >= minute && stored.minute <= minute + CLOCK_SKEW_MINUTES_MAX;
  if (isNear) return stored;
  if (stored.minute === minute - 1) return { minute, count: 0, previousCount: stored.count };
  return { minute, count: 0, previousCount: 0 };
}

/** Milliseconds since the start of the window's minute, 0..59,999. */
function elapsedMs(window: Window, nowMs: number): number {
  return Math.max(0, nowMs - window.minute * MINUTE_MS);
}

/**
 * The number of further requests that pass. A request passes while the count of the minute, plus the previous count
 * weighted by its remaining overlap, is below the limit. A previous count above the limit (after the limit was lowered)
 * counts as the limit, so that no wait is longer than a minute.
 */
export function remaining(window: Window, limit: number, nowMs: number): number {
  const overlapMs = MINUTE_MS - 1 - elapsedMs(window, nowMs);
  const previous = Math.min(window.previousCount, limit) * overlapMs;
  return Math.max(0, Math.ceil((limit * MINUTE_MS - previous) / MINUTE_MS) - window.count);
}

/** The window with further requests counted. */
export function counted(window: Window, requests: number): Window {
  return { ...window, count: window.count + requests };
}

/** The window without one request that was counted at `takenAtMs` and later refused for another reason. */
export function uncounted(window: Window, takenAtMs: number): Window {
  const age = window.minute - Math.floor(takenAtMs / MINUTE_MS);
  if (age <= 0) return { ...window, count: Math.max(0, window.count - 1) };
  if (age === 1) return { ...window, previousCount: Math.max(0, window.previousCount - 1) };
  return window;
}

/**
 * The wait in whole seconds, 1..60, until one request passes if no other arrives. Within the minute the weight of the
 * previous count decreases; a full minute must end first. Contract: docs/contract/rate-limits.md#retry-after.
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
