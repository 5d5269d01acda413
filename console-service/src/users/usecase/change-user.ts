import { appError } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';
import type { Actor } from '../../access/domain/actor.js';
import type { AccessAction } from '../../access/domain/audit-entry.js';
import { actorText } from '../../access/domain/permission.js';
import type { StoredUser, UserStore, UserTransaction } from '../store/user-store.js';

/** A change of one user. */
export interface UserChange {
  readonly actor: Actor;
  readonly id: string;
  readonly action: AccessAction;
}

/**
 * Changes a user who is not removed, in one transaction with its audit. `work` answers false when there was nothing to change:
 * then the audit has no row. Error `not_found`.
 */
export type ChangeUser = (
  change: UserChange,
  work: (transaction: UserTransaction, stored: StoredUser, atMs: number) => Promise<boolean>,
) => Promise<void>;

/** What {@link ChangeUser} needs. */
export interface ChangeUserDeps {
  readonly store: Pick<UserStore, 'inChange'>;
  readonly clock: Clock;
}

/** Makes {@link ChangeUser}. */
export function makeChangeUser({ store, clock }: ChangeUserDeps): ChangeUser {
  return ({ actor, id, action }, work) =>
    store.inChange(async (transaction) => {
      const stored = await transaction.read(id);
      if (stored === undefined || stored.user.removedAtMs !== null)
        throw appError('not_found', `There is no user ${id}.`);
      const atMs = clock.now();
      if (!(await work(transaction, stored, atMs))) return;
      const detail = { name: stored.user.name };
      await transaction.audit({ atMs, actor: actorText(actor), action, subject: id, detail });
    });
}
