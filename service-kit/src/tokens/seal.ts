import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import { systemRandom, type Random } from '../pure/index.js';
import type { KeyRing, RingKey, RingKeys } from './key-ring.js';

/** Longest token that is made or opened, in characters. Contract: docs/contract/sdk-api.md#event-payloads. */
export const TOKEN_CHARS_MAX = 2048;

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Seals and opens tokens. */
export interface Sealer {
  /** Throws an `Error` when the token would be longer than {@link TOKEN_CHARS_MAX}. */
  seal(payload: string): string;
  /** Null: this ring has not sealed the token, or its spelling is not canonical. */
  open(token: string): string | null;
}

/**
 * Encrypts and authenticates with a key ring: compact JWE (RFC 7516), `dir` with A256GCM, the id of the key in the
 * header. Tokens are compatible with `jose` in both directions. `jose` itself is not used, because it builds on
 * WebCrypto, which passes each token to another thread and back. That costs several times the encryption.
 * A token is opened only in its canonical spelling. The header is looked up by its text, so another algorithm, another
 * order of members or one more member is an unknown header. The other parts must be the shortest base64url text of
 * their bytes. One key must not seal more than 2^32 tokens (the limit of random GCM nonces): rotate it before.
 */
export function makeSealer(ring: KeyRing, random: Pick<Random, 'bytes'> = systemRandom): Sealer {
  let known = lookUp(ring.keys());
  /** Computed again when the ring has changed. */
  const current = (): KnownKeys => (known.of === ring.keys() ? known : (known = lookUp(ring.keys())));
  return {
    seal(payload) {
      const { kid } = ring.sealing();
      const key = current().byKid.get(kid);
      if (key === undefined) throw new Error(`the key ${kid} is not in its ring`);
      const iv = random.bytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key.secret, iv);
      // The authenticated data of a compact JWE is the text of its header.
      cipher.setAAD(key.headerBytes);
      const ciphertext = Buffer.concat([cipher.update(payload, 'utf8'), cipher.final()]);
      const token = `${key.header}..${text(iv)}.${text(ciphertext)}.${text(cipher.getAuthTag())}`;
      if (token.length > TOKEN_CHARS_MAX)
        throw new Error(`a token of ${token.length} characters is too long`);
      return token;
    },
    open(token) {
      const parts = partsOf(token);
      const key = parts === null ? undefined : current().byHeader.get(parts.header);
      if (parts === null || key === undefined) return null;
      const decipher = createDecipheriv(CIPHER, key.secret, parts.iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(key.headerBytes);
      decipher.setAuthTag(parts.tag);
      try {
        return Buffer.concat([decipher.update(parts.ciphertext), decipher.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}

/** A key and the header of its tokens. */
interface KnownKey {
  readonly secret: KeyObject;
  readonly header: string;
  readonly headerBytes: Buffer;
}

/** The keys of a ring, prepared for look-ups. */
interface KnownKeys {
  readonly of: RingKeys;
  readonly byHeader: ReadonlyMap<string, KnownKey>;
  readonly byKid: ReadonlyMap<string, KnownKey>;
}

function lookUp(keys: RingKeys): KnownKeys {
  const all = keys.map((key) => [key.kid, toKnown(key)] as const);
  return {
    of: keys,
    byKid: new Map(all),
    byHeader: new Map(all.map(([, known]) => [known.header, known])),
  };
}

function toKnown({ kid, secret }: RingKey): KnownKey {
  const header = text(Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid })));
  return { secret: createSecretKey(secret), header, headerBytes: Buffer.from(header) };
}

interface TokenParts {
  readonly header: string;
  readonly iv: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

/** The five parts of a token, if all have the canonical spelling. Null for any other text. */
function partsOf(token: string): TokenParts | null {
  if (token.length > TOKEN_CHARS_MAX) return null;
  const parts = token.split('.');
  const [header, encryptedKey] = parts;
  if (parts.length !== 5 || header === undefined || encryptedKey !== '') return null;
  const iv = bytesOf(parts[2], IV_BYTES);
  const ciphertext = bytesOf(parts[3]);
  const tag = bytesOf(parts[4], TAG_BYTES);
  return iv === null || ciphertext === null || tag === null ? null : { header, iv, ciphertext, tag };
}

/** Many texts decode to the same bytes (padding, unused bits, skipped letters). Null for all but the canonical text. */
function bytesOf(part: string | undefined, length?: number): Buffer | null {
  if (part === undefined) return null;
  const decoded = Buffer.from(part, 'base64url');
  return (length === undefined || decoded.length === length) && text(decoded) === part ? decoded : null;
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');
}
