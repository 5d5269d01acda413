import type { Clock } from '@placard/service-kit/pure';
import type { KeyText } from '../domain/api-key.js';
import type { HashedKey, KeyStore } from '../store/key-store.js';
import { hashSecret, isSameHash } from '../store/secret-hash.js';

/** The name of the key of `BOOTSTRAP_KEY`, and the actor that creates it. */
const NAME = 'bootstrap';

/**
 * Stores a key that is sent, with the role `admin`, if it is the one of the setting `BOOTSTRAP_KEY`. Undefined: it is another
 * one. Only a key whose id is not stored is passed in, so a revoked key stays revoked. Error `unavailable`.
 */
export type InstallBootstrapKey = (sent: KeyText) => Promise<HashedKey | undefined>;

/** What {@link InstallBootstrapKey} needs. */
export interface InstallBootstrapKeyDeps {
  readonly store: Pick<KeyStore, 'inChange'>;
  readonly clock: Clock;
  /** The setting. Null: it is not set. */
  readonly bootstrapKey: KeyText | null;
}

/** Makes {@link InstallBootstrapKey}. */
export function makeInstallBootstrapKey(deps: InstallBootstrapKeyDeps): InstallBootstrapKey {
  const { store, clock, bootstrapKey } = deps;
  if (bootstrapKey === null) return () => Promise.resolve(undefined);
  const bootstrapHash = hashSecret(bootstrapKey.text);
  return async ({ id, text }) => {
    const hash = hashSecret(text);
    if (!isSameHash(hash, bootstrapHash)) return undefined;
    return store.inChange(async (transaction) => {
      const atMs = clock.now();
      const made: HashedKey = {
        key: {
          id,
          name: NAME,
          role: { kind: 'admin' },
          createdAtMs: atMs,
          createdBy: NAME,
          lastUsedAtMs: null,
          revokedAtMs: null,
        },
        hash,
      };
      // Another replica may have stored it in the meantime.
      if (!(await transaction.add(made))) return transaction.read(id);
      const detail = { name: NAME, role: 'admin' };
      await transaction.audit({ atMs, actor: NAME, action: 'key_created', subject: id, detail });
      return made;
    });
  };
}
