import { randomBytes } from 'node:crypto';

/** Where chance comes from; an argument everywhere, so that tests choose it. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Unpredictable bytes, for ids and keys. */
  bytes(count: number): Uint8Array;
}

/** Bytes that are fetched at once: each fetch costs more than its bytes do. */
const POOL_BYTES = 4_096;

let pool = Buffer.alloc(0);

/** Bytes that nobody was given before. */
function pooledBytes(count: number): Uint8Array {
  if (count > pool.length) pool = randomBytes(Math.max(POOL_BYTES, count));
  const bytes = pool.subarray(0, count);
  pool = pool.subarray(count);
  return bytes;
}

/** The machine's randomness: `next` is fast, `bytes` is cryptographically strong. */
export const systemRandom: Random = {
  next: () => Math.random(),
  bytes: pooledBytes,
};

/** A whole number in [0, bound). */
export function randomIndex(random: Random, bound: number): number {
  return Math.floor(random.next() * bound);
}
