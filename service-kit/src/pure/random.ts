import { randomBytes } from 'node:crypto';

/** Where chance comes from; an argument everywhere, so that tests choose it. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Unpredictable bytes, for ids and keys. */
  bytes(count: number): Uint8Array;
}

/** The machine's randomness: `next` is fast, `bytes` is cryptographically strong. */
export const systemRandom: Random = {
  next: () => Math.random(),
  bytes: (count) => randomBytes(count),
};

/** A whole number in [0, bound). */
export function randomIndex(random: Random, bound: number): number {
  return Math.floor(random.next() * bound);
}
