import { hash, timingSafeEqual } from 'node:crypto';

/**
 * The SHA-256 of a secret of 256 unpredictable bits, 32 bytes. A slow hash protects secrets that people choose; nobody can
 * try 2^256 keys, however fast the hash is.
 */
export function hashSecret(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** Compares two hashes of {@link hashSecret} in a time that does not depend on their bytes. */
export function isSameHash(one: Buffer, other: Buffer): boolean {
  return timingSafeEqual(one, other);
}
