import { base64url } from 'jose';

/** Keys of a ring; old ones are kept only as long as their tokens live. */
export const RING_KEYS_MAX = 8;

const KEY_BYTES = 32;
const KEY_ID = /^[A-Za-z0-9_-]{1,16}$/;

/** One AES-256 key and the name by which tokens refer to it. */
export interface RingKey {
  /** `^[A-Za-z0-9_-]{1,16}$`, unique in its ring. */
  readonly kid: string;
  readonly secret: Uint8Array;
}

/**
 * The keys of one kind of token: the first seals, all open. The secrets show in no log and no JSON text.
 */
export class KeyRing {
  readonly #keys: readonly [RingKey, ...RingKey[]];

  constructor(keys: readonly [RingKey, ...RingKey[]]) {
    this.#keys = keys;
  }

  /** Secrets included: only for whoever seals and opens. */
  keys(): readonly [RingKey, ...RingKey[]] {
    return this.#keys;
  }

  /** What may be shown of a ring: the names of its keys. */
  toJSON(): readonly string[] {
    return this.#keys.map((key) => key.kid);
  }
}

/**
 * Reads a ring written as `kid:key,kid2:key2`, each key 32 bytes in base64url (43 characters). To rotate without a cut:
 * add the new key last everywhere, then put it first, and drop the old one when its last token is over.
 *
 * Throws an `Error` whose message says which entry is wrong and why, and never what stands in it.
 */
export function parseKeyRing(text: string): KeyRing {
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.length > RING_KEYS_MAX) throw new Error(`must have at most ${RING_KEYS_MAX} keys`);
  const keys = entries.map((entry, index) => parseEntry(entry, `key ${index + 1}`));
  const [first, ...others] = keys;
  if (first === undefined) throw new Error('must have at least one key');
  const seen = new Set<string>();
  for (const { kid } of keys) {
    if (seen.has(kid)) throw new Error(`has the key id ${kid} twice`);
    seen.add(kid);
  }
  return new KeyRing([first, ...others]);
}

function parseEntry(entry: string, name: string): RingKey {
  const colon = entry.indexOf(':');
  if (colon < 0) throw new Error(`${name} must be written kid:base64url-of-32-bytes`);
  const kid = entry.slice(0, colon);
  if (!KEY_ID.test(kid)) throw new Error(`${name} must have an id of 1 to 16 letters, digits, _ or -`);
  const secret = decodeExactly(entry.slice(colon + 1));
  if (secret?.length !== KEY_BYTES) {
    throw new Error(`${name} must be ${KEY_BYTES} bytes in base64url: 43 letters, digits, - or _`);
  }
  return { kid, secret };
}

/** Null for any text that is not the one spelling of its bytes. */
function decodeExactly(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64url');
  return base64url.encode(bytes) === text ? bytes : null;
}
