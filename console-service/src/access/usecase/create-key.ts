import { appError } from '@placard/service-kit';
import { readPlainText, type Clock, type Random } from '@placard/service-kit/pure';
import type { Actor } from '../domain/actor.js';
import { makeKeyText, type ApiKey } from '../domain/api-key.js';
import { actorText } from '../domain/permission.js';
import { roleText } from '../domain/role.js';
import type { KeyStore } from '../store/key-store.js';
import { hashSecret } from '../store/secret-hash.js';
import { readKnownRole } from './known-role.js';

/** Most characters of the name of a key. */
const NAME_CHARS_MAX = 100;

/** A key that an operator requests. */
export interface CreateKeyRequest {
  readonly actor: Actor;
  readonly name: string;
  /** See `readRole`. */
  readonly role: string;
}

/** A new key. `text` is what its holder sends; it is shown this once and is not stored. */
export interface CreatedKey {
  readonly key: ApiKey;
  readonly text: string;
}

/** Creates an API key. Error `invalid_argument` (name, role, unknown publisher or advertiser). */
export type CreateKey = (request: CreateKeyRequest) => Promise<CreatedKey>;

/** What {@link CreateKey} needs. */
export interface CreateKeyDeps {
  readonly store: Pick<KeyStore, 'inChange' | 'wasEver'>;
  readonly clock: Clock;
  readonly random: Random;
}

/** Makes {@link CreateKey}. */
export function makeCreateKey({ store, clock, random }: CreateKeyDeps): CreateKey {
  return async (request) => {
    const name = readName(request.name);
    const known = await readKnownRole(store, request.role);
    if ('fault' in known) throw refusal(known.fault);
    const { role } = known;
    const { id, text } = makeKeyText(random);
    const createdBy = actorText(request.actor);
    const atMs = clock.now();
    const key: ApiKey = {
      id,
      name,
      role,
      createdBy,
      createdAtMs: atMs,
      lastUsedAtMs: null,
      revokedAtMs: null,
    };
    await store.inChange(async (transaction) => {
      await transaction.add({ key, hash: hashSecret(text) });
      const detail = { name, role: roleText(role) };
      await transaction.audit({ atMs, actor: createdBy, action: 'key_created', subject: id, detail });
    });
    return { key, text };
  };
}

function readName(raw: string): string {
  const read = readPlainText(raw, NAME_CHARS_MAX);
  if ('fault' in read) throw refusal(`the name ${read.fault}`);
  return read.text;
}

function refusal(reason: string) {
  return appError('invalid_argument', `The key is refused: ${reason}.`);
}
