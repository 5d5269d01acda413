import { z } from 'zod';
import { parseKeyRing } from './key-ring.js';

/** A setting that holds a key ring, read by {@link parseKeyRing}. Its fault never shows the content of the ring. */
export function keyRingSetting() {
  return z
    .string({
      error:
        'is not set; must be `kid:base64url-of-32-bytes`, several separated by commas, or file:PATH of a file that holds them',
    })
    .transform((value, context) => {
      try {
        return parseKeyRing(value);
      } catch (error) {
        context.addIssue({
          code: 'custom',
          message: error instanceof Error ? error.message : 'is no key ring',
        });
        return z.NEVER;
      }
    });
}
