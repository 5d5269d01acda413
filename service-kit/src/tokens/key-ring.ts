import { readFileSync } from 'node:fs';
import { messageOf } from '../process/errors.js';
import { decodeUtf8 } from '../pure/utf8.js';

/** Keys of a ring; old ones are kept only as long as their tokens live. */
export const RING_KEYS_MAX = 8;

const KEY_BYTES = 32;
const KEY_ID = /^[A-Za-z0-9_-]{1,16}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const FILE_PREFIX = 'file:';

/** One AES-256 key and the name by which tokens refer to it. */
export interface RingKey {
  /** `^[A-Za-z0-9_-]{1,16}$`, unique in its ring. */
  readonly kid: string;
  readonly secret: Uint8Array;
  /** It seals from this instant on; before, it only opens. 0: at once. */
  readonly sealsFromMs: number;
}

/** The keys of a ring in their order; never empty. */
export type RingKeys = readonly [RingKey, ...RingKey[]];

/**
 * The keys of one kind of token: the first whose time has come seals, all open. The secrets show in no log and no JSON
 * text. A ring that is kept in a file is brought up to date by `keepKeyRings`.
 */
export class KeyRing {
  /** Where the ring is kept; null: in the environment, so that it changes with a restart only. */
  readonly file: string | null;
  #keys: RingKeys;
  #sealing: RingKey;

  constructor(keys: RingKeys, file: string | null = null) {
    this.file = file;
    this.#keys = keys;
    this.#sealing = sealingAt(keys, 0);
  }

  /** Secrets included: only for whoever seals and opens. The same array until the ring changes. */
  keys(): RingKeys {
    return this.#keys;
  }

  /** The key that seals, as of the last {@link bringUpToDate}. */
  sealing(): RingKey {
    return this.#sealing;
  }

  /** Lets the key seal whose time has come; `keys` replaces those of the ring. */
  bringUpToDate(nowMs: number, keys: RingKeys = this.#keys): void {
    this.#keys = keys;
    this.#sealing = sealingAt(keys, nowMs);
  }

  /** What may be shown of a ring: the names of its keys. */
  toJSON(): readonly string[] {
    return this.#keys.map((key) => key.kid);
  }
}

/** The first key whose time has come; where there is none, the last: what was sealed before needs no time. */
function sealingAt(keys: RingKeys, nowMs: number): RingKey {
  return keys.find((key) => key.sealsFromMs <= nowMs) ?? keys.at(-1) ?? keys[0];
}

/**
 * Reads the setting of a ring: the ring itself, or `file:PATH` of a file that holds it. Throws an `Error` that says what
 * is wrong, and never what stands there.
 */
export function parseKeyRing(setting: string): KeyRing {
  if (!setting.startsWith(FILE_PREFIX)) return new KeyRing(parseRing(setting));
  const file = setting.slice(FILE_PREFIX.length);
  return new KeyRing(parseRing(readRingFile(file)), file);
}

/** The text of a ring's file. Throws an `Error` that names the file and says why it cannot be read. */
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
 * Reads a ring written as `kid:key,kid2:key2`, each key 32 bytes in base64url (43 characters). The first seals, all open;
 * with `@2026-01-31T10:00:00Z` behind it a key seals from that instant on, and until then the next one does. So a new
 * key, put first with a time by which every process has read it, is a rotation without a cut.
 *
 * Throws an `Error` whose message says which entry is wrong and why, and never what stands in it.
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

/** Writes keys so that {@link parseRing} reads the same. */
export function writeRing(keys: RingKeys): string {
  return keys
    .map(({ kid, secret, sealsFromMs }) => {
      const from = sealsFromMs === 0 ? '' : `@${instantText(sealsFromMs)}`;
      return `${kid}:${Buffer.from(secret).toString('base64url')}${from}`;
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

/** Null for what is no instant, a 30 February included, and for years before 1970. */
function readInstant(text: string): number | null {
  const atMs = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  return atMs >= 0 && instantText(atMs) === text ? atMs : null;
}

function instantText(atMs: number): string {
  return new Date(atMs).toISOString().replace('.000Z', 'Z');
}

/** Null for any text that is not the one spelling of its bytes. */
function decodeExactly(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}
