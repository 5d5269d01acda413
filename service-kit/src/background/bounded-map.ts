import { LRUCache } from 'lru-cache';

/** Keys and values of a bounded map. Undefined is excluded, because it means a missing entry. */
type Held = string | number | bigint | boolean | object;

/** A map with a bound. A new entry replaces the least recently used one when the map is full. */
export type BoundedMap<Key extends Held, Value extends Held> = Pick<
  LRUCache<Key, Value>,
  'get' | 'has' | 'set' | 'delete' | 'clear' | 'size'
>;

/**
 * Makes a {@link BoundedMap} of at most `countMax` entries. It allocates about 30 bytes for each of them at once. `has` does
 * not count as a use.
 */
export function makeBoundedMap<Key extends Held, Value extends Held>(
  countMax: number,
): BoundedMap<Key, Value> {
  return new LRUCache<Key, Value>({ max: countMax });
}
