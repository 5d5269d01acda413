import { appError } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';
import type { Actor } from '../domain/actor.js';
import type { ApiKey } from '../domain/api-key.js';
import { actorText } from '../domain/permission.js';
import { roleText } from '../domain/role.js';
import type { KeyStore } from '../store/key-store.js';

/**
 * Revokes an API key for good; it stops working on every replica within a second. A key that is revoked already stays as it
 * is. Errors: `not_found`, `failed_precondition` (the last valid key with the role `admin`).
 */
export type RevokeKey = (request: { readonly actor: Actor; readonly id: string }) => Promise<ApiKey>;

/** What {@link RevokeKey} needs. */
export interface RevokeKeyDeps {
  readonly store: Pick<KeyStore, 'inChange'>;
  readonly clock: Clock;
}

/** Makes {@link RevokeKey}. */
export function makeRevokeKey({ store, clock }: RevokeKeyDeps): RevokeKey {
  return ({ actor, id }) =>
    store.inChange(async (transaction) => {
      const adminIds = await transaction.lockAdminIds();
      const key = (await transaction.read(id))?.key;
      if (key === undefined) throw appError('not_found', `There is no key ${id}.`);
      if (key.revokedAtMs !== null) return key;
      if (adminIds.length === 1 && adminIds[0] === id)
        throw appError(
          'failed_precondition',
          `Key ${id} is the last one with the role admin. Create another one first, then revoke this one.`,
        );
      const atMs = clock.now();
      if (await transaction.revoke(id, atMs)) {
        const detail = { name: key.name, role: roleText(key.role) };
        await transaction.audit({
          atMs,
          actor: actorText(actor),
          action: 'key_revoked',
          subject: id,
          detail,
        });
      }
      return { ...key, revokedAtMs: atMs };
    });
}
