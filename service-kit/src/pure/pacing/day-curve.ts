import { DAY_MS, SECOND_MS } from '../time.js';

/** Seconds of a UTC day. Every UTC day has the same length. */
export const DAY_SECONDS = DAY_MS / SECOND_MS;
/** Number of parts of a learned day (half hours). */
export const DAY_SHARES = 48;
const SHARE_SECONDS = DAY_SECONDS / DAY_SHARES;

/** The share (0..1, never falling) of a day's traffic before a second (0..86400) of the UTC day. */
export type DayCurve = (second: number) => number;

/** Traffic that is constant all day. */
export const straightLine: DayCurve = (second) => Math.min(1, Math.max(0, second / DAY_SECONDS));

/**
 * The curve of a day whose half hours have these weights (48, none negative). It is linear within a half hour. If the
 * number of weights is wrong or their sum is zero, it is a straight line.
 */
export function makeDayCurve(weights: readonly number[]): DayCurve {
  const total = weights.reduce((sum, weight) => sum + Math.max(0, weight), 0);
  if (weights.length !== DAY_SHARES || !(total > 0) || !Number.isFinite(total)) return straightLine;
  const reached = new Float64Array(DAY_SHARES + 1);
  for (const [at, weight] of weights.entries()) {
    reached[at + 1] = (reached[at] as number) + Math.max(0, weight) / total;
  }
  return (second) => {
    const place = Math.min(DAY_SHARES, Math.max(0, second / SHARE_SECONDS));
    const at = Math.min(DAY_SHARES - 1, Math.floor(place));
    const before = reached[at] as number;
    return Math.min(1, before + ((reached[at + 1] as number) - before) * (place - at));
  };
}

/** The second of the UTC day, with fractions. */
export function secondOfDay(atMs: number): number {
  return (((atMs % DAY_MS) + DAY_MS) % DAY_MS) / SECOND_MS;
}
