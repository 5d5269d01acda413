import type { Random } from '@placard/service-kit/pure';
import type { Role } from './actor.js';

/** An API key as operators see it. Its secret is not part of it. */
export interface ApiKey {
  /** `key_` and 16 hex digits. It is the visible part of the key's text. */
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAtMs: number;
  /** The actor that created it, see `actorText`. */
  readonly createdBy: string;
  /** Some call of the ten minutes after this instant used the key. Null: it was never used. */
  readonly lastUsedAtMs: number | null;
  /** Null: the key is valid. */
  readonly revokedAtMs: number | null;
}

/** The text that the holder of a key sends: `plk_<16 hex digits of the id>_<64 hex digits>`. */
export interface KeyText {
  /** `key_` and 16 hex digits. */
  readonly id: string;
  readonly text: string;
}

const ID_BYTES = 8;
/** 256 unpredictable bits, so nobody can guess a key from its hash and a fast hash suffices. */
const SECRET_BYTES = 32;
const TEXT = /^plk_([0-9a-f]{16})_[0-9a-f]{64}$/;

/** What the text of a key looks like, for messages. */
export const KEY_FORM = 'plk_, 16 hex digits, _ and 64 hex digits';

/** A fresh key. */
export function makeKeyText(random: Random): KeyText {
  const hex = (bytes: number): string => Buffer.from(random.bytes(bytes)).toString('hex');
  const id = hex(ID_BYTES);
  return { id: `key_${id}`, text: `plk_${id}_${hex(SECRET_BYTES)}` };
}

/** Reads the text of a key. Null: it does not have the form {@link KEY_FORM}. */
export function readKeyText(text: string): KeyText | null {
  const id = TEXT.exec(text)?.[1];
  return id === undefined ? null : { id: `key_${id}`, text };
}
