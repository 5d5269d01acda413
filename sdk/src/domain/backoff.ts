const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/**
 * The wait before the next attempt, in milliseconds, after `attempts` failed ones (at least 1). It doubles up to a minute,
 * and chance takes up to half of it away, so that phones do not return together. The server's wait is a lower bound.
 */
export function backoffMs(attempts: number, retryAfterMs: number | null, random: () => number): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempts - 1));
  return Math.max(retryAfterMs ?? 0, ceiling * (1 - random() / 2));
}
