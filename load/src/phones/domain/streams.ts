import { makeChance, type Chance } from '../../chance.js';

/** What a stream decides. Each has its own, so that one more draw of one does not change the others. */
const PURPOSES = ['profile', 'day', 'network'] as const;

/** Number of different streams; {@link makeChance} multiplies its seed within the exact numbers of JavaScript. */
const STREAMS = 3_000_017;
const SEED_STEP = 7_919;
/** Neighbouring seeds begin alike, and differ after a few draws. */
const DRAWS_SKIPPED = 8;

/** The random numbers of one phone for one purpose: the same for the same seed and index, from 0. */
export function streamOf(seed: number, index: number, purpose: (typeof PURPOSES)[number]): Chance {
  const place = index * PURPOSES.length + PURPOSES.indexOf(purpose);
  const chance = makeChance(((seed * SEED_STEP + place) % STREAMS) + 1);
  for (let draw = 0; draw < DRAWS_SKIPPED; draw += 1) chance.next();
  return chance;
}

/** One item, each with the probability of its weight. The list must not be empty. */
export function pickWeighted<Item extends { readonly weight: number }>(
  list: readonly Item[],
  chance: Chance,
): Item {
  let left = chance.next() * list.reduce((sum, { weight }) => sum + weight, 0);
  const found = list.find(({ weight }) => (left -= weight) < 0) ?? list.at(-1);
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

/** A number between two bounds. */
export function between(chance: Chance, min: number, max: number): number {
  return min + chance.next() * (max - min);
}
