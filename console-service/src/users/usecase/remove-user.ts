import type { Actor } from '../../access/domain/actor.js';
import type { ChangeUser } from './change-user.js';

/** Removes a user and ends its sessions at once. Its name is free again. Error `not_found`. */
export type RemoveUser = (request: { readonly actor: Actor; readonly id: string }) => Promise<void>;

/** Makes {@link RemoveUser}. */
export function makeRemoveUser(changeUser: ChangeUser): RemoveUser {
  return ({ actor, id }) =>
    changeUser({ actor, id, action: 'user_removed' }, async (transaction, _, atMs) => {
      await transaction.remove(id, atMs);
      await transaction.endSessionsOf(id);
      return true;
    });
}
