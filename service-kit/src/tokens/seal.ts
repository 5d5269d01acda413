import { CompactEncrypt, compactDecrypt, type CryptoKey } from 'jose';
import type { KeyRing, RingKeys } from './key-ring.js';

/** Longest token that is ever made or opened, in characters. Specification: "Event payloads", `max 2048`. */
export const TOKEN_CHARS_MAX = 2048;

const ALGORITHM = 'dir';
const ENCRYPTION = 'A256GCM';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const OPEN_OPTIONS = {
  keyManagementAlgorithms: [ALGORITHM],
  contentEncryptionAlgorithms: [ENCRYPTION],
};

/** A key, imported at its first use. */
type SealingKey = () => Promise<CryptoKey>;

/** Seals bytes and opens what was sealed. */
export interface Sealer {
  /** Rejects when the token would be longer than {@link TOKEN_CHARS_MAX}. */
  seal(payload: Uint8Array): Promise<string>;
  /** Null for whatever this ring has not sealed, or not spelled so. */
  open(token: string): Promise<Uint8Array | null>;
}

/**
 * Encrypts and authenticates with a key ring: compact JWE, `dir` with A256GCM, the key's id in the header.
 *
 * A token is opened only in the very spelling in which it was sealed. A header is looked up by its text, so that another
 * algorithm, another order of members or one more member is an unknown header; the other parts must be the shortest
 * base64url text of their bytes. Each key is imported once. One key must not seal more than 2^32 tokens (the bound of
 * random GCM nonces): rotate it before.
 */
export function makeSealer(ring: KeyRing): Sealer {
  let known = importable(ring.keys());
  /** Made anew when the ring has changed. */
  const current = (): Importable => (known.of === ring.keys() ? known : (known = importable(ring.keys())));
  return {
    async seal(payload) {
      const { kid } = ring.sealing();
      const imported = current().byKid.get(kid);
      if (imported === undefined) throw new Error(`the key ${kid} is not in its ring`);
      const jwe = new CompactEncrypt(payload).setProtectedHeader(headerOf(kid));
      const token = await jwe.encrypt(await imported());
      if (token.length > TOKEN_CHARS_MAX)
        throw new Error(`a token of ${token.length} characters is too long`);
      return token;
    },
    async open(token) {
      const header = canonicalHeaderOf(token);
      const imported = header === null ? undefined : current().byHeader.get(header);
      if (imported === undefined) return null;
      const key = await imported();
      try {
        return (await compactDecrypt(token, key, OPEN_OPTIONS)).plaintext;
      } catch {
        return null;
      }
    },
  };
}

/** The keys of a ring as they are looked up. */
interface Importable {
  readonly of: RingKeys;
  readonly byHeader: ReadonlyMap<string, SealingKey>;
  readonly byKid: ReadonlyMap<string, SealingKey>;
}

function importable(keys: RingKeys): Importable {
  const byKid = new Map(keys.map(({ kid, secret }) => [kid, importOnce(secret)]));
  const byHeader = new Map([...byKid].map(([kid, key]) => [encodedHeader(kid), key]));
  return { of: keys, byHeader, byKid };
}

function headerOf(kid: string): { alg: string; enc: string; kid: string } {
  return { alg: ALGORITHM, enc: ENCRYPTION, kid };
}

function encodedHeader(kid: string): string {
  return Buffer.from(JSON.stringify(headerOf(kid))).toString('base64url');
}

/** The key is imported at the first use and kept; a failed import is not kept. */
function importOnce(secret: Uint8Array): SealingKey {
  let imported: Promise<CryptoKey> | null = null;
  return () => {
    imported ??= crypto.subtle
      .importKey('raw', Uint8Array.from(secret), 'AES-GCM', false, ['encrypt', 'decrypt'])
      .catch((error: unknown) => {
        imported = null;
        throw error;
      });
    return imported;
  };
}

/** The header part of a token of five canonically spelled parts; null for any other text. */
function canonicalHeaderOf(token: string): string | null {
  if (token.length > TOKEN_CHARS_MAX) return null;
  const parts = token.split('.');
  const [header, encryptedKey, iv, ciphertext, tag] = parts;
  if (parts.length !== 5 || header === undefined || encryptedKey !== '') return null;
  if (!isCanonical(iv, IV_BYTES) || !isCanonical(tag, TAG_BYTES) || !isCanonical(ciphertext)) return null;
  return header;
}

/** Many texts decode to the same bytes (padding, unused bits, letters that are skipped); only one is canonical. */
function isCanonical(part: string | undefined, bytes?: number): boolean {
  if (part === undefined) return false;
  const decoded = Buffer.from(part, 'base64url');
  return (bytes === undefined || decoded.length === bytes) && decoded.toString('base64url') === part;
}
