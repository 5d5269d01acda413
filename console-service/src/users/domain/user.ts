import { readPlainText, type Random } from '@placard/service-kit/pure';
import type { Role } from '../../access/domain/actor.js';

/** A person who logs in to the management API. */
export interface User {
  /** `usr_` and 16 hex digits. */
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Whether a login needs a code besides the password. */
  readonly hasTotp: boolean;
  readonly createdAtMs: number;
  /** The actor that created it, see `actorText`. */
  readonly createdBy: string;
  /** Null: the user may log in. */
  readonly removedAtMs: number | null;
}

/** Most characters of the name of a user. */
const NAME_CHARS_MAX = 100;
const ID_BYTES = 8;

/** A fresh id. */
export function makeUserId(random: Random): string {
  return `usr_${Buffer.from(random.bytes(ID_BYTES)).toString('hex')}`;
}

/** Reads the name of a user, or says why it is refused, such as `must not be empty`. */
export function readUserName(raw: string): { readonly name: string } | { readonly fault: string } {
  const read = readPlainText(raw, NAME_CHARS_MAX);
  return 'fault' in read ? read : { name: read.text };
}

/** What a name is looked up by: two names that differ in case alone are one. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
