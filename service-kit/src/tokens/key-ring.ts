import { base64url } from 'jose';
import { readFileSync } from 'node:fs';
import { messageOf } from '../process/errors.js';
import { decodeUtf8 } from '../pure/text/utf8.js';

/** Most keys of a ring. Old ones are kept only while their tokens are valid. */
export const RING_KEYS_MAX = 8;

const KEY_BYTES = 32;
const KEY_ID = /^[A-Za-z0-9_-]{1,16}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const FILE_PREFIX = 'file:';

/** One AES-256 key and its id, which tokens name. */
export interface RingKey {
  /** `^[A-Za-z0-9_-]{1,16}$`, unique in its ring. */
  readonly kid: string;
  readonly secret: Uint8Array;
  /** The key seals from this instant on. Before, it only opens. 0: at once. */
  readonly sealsFromMs: number;
}

/** The keys of a ring in their order. Never empty. */
export type RingKeys = readonly [RingKey, ...RingKey[]];

/**
 * The keys for one kind of token. The first key whose instant has come seals; all keys open. Logs and JSON never show
 * the secrets. `keepKeyRings` updates a ring that is in a file.
 */
export class KeyRing {
  /** The file of the ring. Null: the ring is in the environment, so it changes only with a restart. */
  readonly file: string | null;
  #keys: RingKeys;
  #sealing: RingKey;

  constructor(keys: RingKeys, file: string | null = null) {
    this.file = file;
    this.#keys = keys;
    this.#sealing = sealingAt(keys, 0);
  }

  /** The keys with their secrets, only for sealing and opening. The same array until the ring changes. */
  keys(): RingKeys {
    return this.#keys;
  }

  /** The key that seals, as of the last {@link bringUpToDate}. */
  sealing(): RingKey {
    return this.#sealing;
  }

  /** Selects the key that seals at this time. `keys` replaces the keys of the ring. */
  bringUpToDate(nowMs: number, keys: RingKeys = this.#keys): void {
    this.#keys = keys;
    this.#sealing = sealingAt(keys, nowMs);
  }

  /** The ids of the keys, which are no secret. */
  toJSON(): readonly string[] {
    return this.#keys.map((key) => key.kid);
  }
}

/** The first key whose instant has come. If there is none, the last key. */
function sealingAt(keys: RingKeys, nowMs: number): RingKey {
  return keys.find((key) => key.sealsFromMs <= nowMs) ?? keys.at(-1) ?? keys[0];
}

/**
 * Reads the setting of a ring: the ring itself, or `file:PATH` with a file that holds it. Throws an `Error` that names
 * the fault and never shows the content.
 */
export function parseKeyRing(setting: string): KeyRing {
  if (!setting.startsWith(FILE_PREFIX)) return new KeyRing(parseRing(setting));
  const file = setting.slice(FILE_PREFIX.length);
  return new KeyRing(parseRing(readRingFile(file)), file);
}

/** The text of a ring's file. Throws an `Error` with the file and the reason when it cannot be read. */
export function readRingFile(file: string): string {
  const read = decodeUtf8(readBytes(file));
  if ('fault' in read) throw new Error(`the file ${file} ${read.fault}`);
  return read.text;
}

function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`the file cannot be read (${messageOf(error)})`, { cause: error });
  }
}

/**
 * Reads a ring written as `kid:key,kid2:key2`, each key 32 bytes in base64url (43 characters). The first key seals; all
 * keys open. A key followed by `@2026-01-31T10:00:00Z` seals from that instant on; until then the next key seals. For a
 * rotation without an interruption, put the new key first, with an instant by which every process has read it.
 *
 * Throws an `Error` that names the wrong entry and the reason, and never shows its content.
 */
export function parseRing(text: string): RingKeys {
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
  return [first, ...others];
}

/** Encodes keys so that {@link parseRing} reads the same. */
export function writeRing(keys: RingKeys): string {
  return keys
    .map(({ kid, secret, sealsFromMs }) => {
      const from = sealsFromMs === 0 ? '' : `@${instantText(sealsFromMs)}`;
      return `${kid}:${base64url.encode(secret)}${from}`;
    })
    .join(',');
}

function parseEntry(entry: string, name: string): RingKey {
  const colon = entry.indexOf(':');
  if (colon < 0) throw new Error(`${name} must be written kid:base64url-of-32-bytes`);
  const kid = entry.slice(0, colon);
  if (!KEY_ID.test(kid)) throw new Error(`${name} must have an id of 1 to 16 letters, digits, _ or -`);
  const [encoded = '', from] = entry.slice(colon + 1).split('@', 2);
  const secret = decodeExactly(encoded);
  if (secret?.length !== KEY_BYTES) {
    throw new Error(`${name} must be ${KEY_BYTES} bytes in base64url: 43 letters, digits, - or _`);
  }
  const sealsFromMs = from === undefined ? 0 : readInstant(from);
  if (sealsFromMs === null) {
    throw new Error(`${name} must have an instant such as 2026-01-31T10:00:00Z behind its @`);
  }
  return { kid, secret, sealsFromMs };
}

/** Null: the text is not an instant (for example 30 February), or its year is before 1970. */
function readInstant(text: string): number | null {
  const atMs = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  return atMs >= 0 && instantText(atMs) === text ? atMs : null;
}

function instantText(atMs: number): string {
  return new Date(atMs).toISOString().replace('.000Z', 'Z');
}

/** Null: the text is not the canonical spelling of its bytes. */
function decodeExactly(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64url');
  return base64url.encode(bytes) === text ? bytes : null;
}
