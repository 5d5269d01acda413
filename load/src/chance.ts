/** A random generator that repeats for the same seed, so that runs can be compared. */
export interface Chance {
  /** A number from 0 (included) to 1 (excluded). */
  next(): number;
  /** A whole number from 0 to below `bound`. */
  below(bound: number): number;
  /** One item of a list, which must not be empty. */
  pick<Item>(list: readonly Item[]): Item;
  /** True with this probability. */
  isHit(probability: number): boolean;
  /** `count` different items of a list, or all of them. */
  some<Item>(list: readonly Item[], count: number): readonly Item[];
}

const UINT32 = 4_294_967_296;

/** Marsaglia's xorshift of 32 bits, which is good enough for traffic. */
export function makeChance(seed: number): Chance {
  let state = ((seed * 2_654_435_761) % UINT32) | 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / UINT32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  const pick = <Item>(list: readonly Item[]): Item => {
    const item = list[below(list.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  };
  return {
    next,
    below,
    pick,
    isHit: (probability) => next() < probability,
    some(list, count) {
      const left = [...new Set(list)];
      const wanted = Math.min(count, left.length);
      return Array.from({ length: wanted }, () => left.splice(below(left.length), 1)).flat();
    },
  };
}
