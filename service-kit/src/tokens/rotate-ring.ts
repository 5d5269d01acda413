import { RING_KEYS_MAX, type RingKey, type RingKeys } from './key-ring.js';

/**
 * Longest life of any token, in milliseconds. A session or an ad lives for a day at most, and the events of an ad are
 * accepted for one more day.
 */
const TOKEN_LIFE_MS_MAX = 2 * 86_400_000;
/** Greatest difference between the clocks of two hosts. */
const CLOCK_SKEW_MS_MAX = 300_000;

/**
 * A ring with a new first key, which seals from `sealsFromMs` on. Keys whose tokens have all expired are dropped: those
 * after a key that has sealed for longer than any token lives.
 *
 * Null: the ring would have more than {@link RING_KEYS_MAX} keys, because it was rotated too often within two days.
 */
export function rotateRing(keys: RingKeys, added: RingKey, nowMs: number): RingKeys | null {
  const isPast = ({ sealsFromMs }: RingKey): boolean =>
    sealsFromMs > 0 && sealsFromMs + TOKEN_LIFE_MS_MAX + CLOCK_SKEW_MS_MAX <= nowMs;
  const last = keys.findIndex(isPast);
  const kept = last < 0 ? keys : keys.slice(0, last + 1);
  return kept.length < RING_KEYS_MAX ? [added, ...kept] : null;
}
