import { RING_KEYS_MAX, type RingKey, type RingKeys } from './key-ring.js';

/**
 * Longest life of any token, in milliseconds: a session or an ad lives a day at most, and an ad's events are taken a day
 * longer.
 */
const TOKEN_LIFE_MS_MAX = 2 * 86_400_000;
/** Clocks of hosts may differ by so much. */
const CLOCK_SKEW_MS_MAX = 300_000;

/**
 * A ring with a new key in front, which seals from `sealsFromMs` on, without the keys whose tokens are all over: those
 * behind a key that has been sealing for longer than any token lives.
 *
 * Null when the ring would have more keys than {@link RING_KEYS_MAX}: it was rotated too often in two days.
 */
export function rotateRing(keys: RingKeys, added: RingKey, nowMs: number): RingKeys | null {
  const isPast = ({ sealsFromMs }: RingKey): boolean =>
    sealsFromMs > 0 && sealsFromMs + TOKEN_LIFE_MS_MAX + CLOCK_SKEW_MS_MAX <= nowMs;
  const last = keys.findIndex(isPast);
  const kept = last < 0 ? keys : keys.slice(0, last + 1);
  return kept.length < RING_KEYS_MAX ? [added, ...kept] : null;
}
