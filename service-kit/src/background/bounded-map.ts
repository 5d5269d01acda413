import { LRUCache } from 'lru-cache';

/** What a bounded map may hold: a missing entry is undefined. */
type Held = string | number | bigint | boolean | object;

/** A map with a bound: what was neither read nor written for the longest time makes room. */
export type BoundedMap<Key extends Held, Value extends Held> = Pick<
  LRUCache<Key, Value>,
  'get' | 'has' | 'set' | 'delete' | 'clear' | 'size'
>;

/**
 * Makes a {@link BoundedMap} of `countMax` entries. The places of all of them are allocated at once, some 30 bytes each;
 * `has` does not count as a use.
 */
export function makeBoundedMap<Key extends Held, Value extends Held>(
  countMax: number,
): BoundedMap<Key, Value> {
  return new LRUCache<Key, Value>({ max: countMax });
}
