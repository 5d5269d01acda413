import { appError } from '@placard/service-kit';
import type { Actor } from '../../access/domain/actor.js';
import { readPassword } from '../domain/password.js';
import { hashPassword } from '../store/password-hash.js';
import type { ChangeUser } from './change-user.js';
import type { CheckPassword } from './check-password.js';

/** A new password for a user. */
export interface SetPasswordRequest {
  readonly actor: Actor;
  readonly id: string;
  readonly password: string;
}

/**
 * Sets the password of a user and ends its sessions, so that whoever knew the old one is out. Errors: `not_found`,
 * `invalid_argument`.
 */
export type SetPassword = (request: SetPasswordRequest) => Promise<void>;

/** Makes {@link SetPassword}. */
export function makeSetPassword(changeUser: ChangeUser): SetPassword {
  return async ({ actor, id, password }) => {
    const read = readPassword(password);
    if ('fault' in read) throw appError('invalid_argument', `The password ${read.fault}.`);
    const passwordHash = await hashPassword(read.password);
    await changeUser({ actor, id, action: 'password_set' }, async (transaction) => {
      await transaction.setPassword(id, passwordHash);
      await transaction.endSessionsOf(id);
      return true;
    });
  };
}

/** A new password that a user sets for itself. */
export interface SetOwnPasswordRequest extends Omit<SetPasswordRequest, 'id'> {
  /** The password until now. */
  readonly current: string;
}

/**
 * The same for the actor itself. Errors: those of {@link SetPassword} (`not_found`: the actor is no user), `permission_denied`,
 * `rate_limited`.
 */
export type SetOwnPassword = (request: SetOwnPasswordRequest) => Promise<void>;

/** Makes {@link SetOwnPassword}. */
export function makeSetOwnPassword(checkPassword: CheckPassword, setPassword: SetPassword): SetOwnPassword {
  return async ({ actor, current, password }) => {
    // A key may have the name of a user, whose attempts would be counted.
    if (actor.kind !== 'user') throw appError('not_found', `There is no user ${actor.id}.`);
    const { user } = await checkPassword(actor.name, current);
    if (user?.user.id !== actor.id) throw appError('permission_denied', 'The current password is wrong.');
    await setPassword({ actor, id: actor.id, password });
  };
}
