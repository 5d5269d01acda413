import { randomBytes } from 'node:crypto';

/** The source of randomness. It is always an argument, so that tests can choose it. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Unpredictable bytes, for ids and keys. */
  bytes(count: number): Uint8Array;
}

/** Bytes per fetch: a fetch costs more than its bytes. */
const POOL_BYTES = 4_096;

let pool = Buffer.alloc(0);

/** Bytes that no caller has received before. */
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
