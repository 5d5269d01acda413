import { appError } from '@placard/service-kit';
import type { Clock, Random } from '@placard/service-kit/pure';
import type { Actor } from '../../access/domain/actor.js';
import { actorText } from '../../access/domain/permission.js';
import { roleText } from '../../access/domain/role.js';
import { readKnownRole } from '../../access/usecase/known-role.js';
import { readPassword } from '../domain/password.js';
import { makeUserId, readUserName, type User } from '../domain/user.js';
import { hashPassword } from '../store/password-hash.js';
import type { UserStore } from '../store/user-store.js';

/** A user that an operator requests. */
export interface CreateUserRequest {
  readonly actor: Actor;
  readonly name: string;
  /** See `readRole`. */
  readonly role: string;
  readonly password: string;
}

/**
 * Creates a user. Errors: `invalid_argument` (name, role, unknown publisher or advertiser, password), `conflict` (the name is
 * taken, whatever its case).
 */
export type CreateUser = (request: CreateUserRequest) => Promise<User>;

/** What {@link CreateUser} needs. */
export interface CreateUserDeps {
  readonly store: Pick<UserStore, 'inChange' | 'wasEver'>;
  readonly clock: Clock;
  readonly random: Random;
}

/** Makes {@link CreateUser}. */
export function makeCreateUser({ store, clock, random }: CreateUserDeps): CreateUser {
  return async (request) => {
    const named = readUserName(request.name);
    if ('fault' in named) throw refusal(`the name ${named.fault}`);
    const known = await readKnownRole(store, request.role);
    if ('fault' in known) throw refusal(known.fault);
    const read = readPassword(request.password);
    if ('fault' in read) throw refusal(`the password ${read.fault}`);
    const passwordHash = await hashPassword(read.password);
    const actor = actorText(request.actor);
    const atMs = clock.now();
    const user: User = {
      id: makeUserId(random),
      name: named.name,
      role: known.role,
      hasTotp: false,
      createdAtMs: atMs,
      createdBy: actor,
      removedAtMs: null,
    };
    await store.inChange(async (transaction) => {
      if (!(await transaction.add({ user, passwordHash, totpSecret: null })))
        throw appError('conflict', `There is a user ${user.name} already. Choose another name.`);
      const detail = { name: user.name, role: roleText(user.role) };
      await transaction.audit({ atMs, actor, action: 'user_created', subject: user.id, detail });
    });
    return user;
  };
}

function refusal(reason: string) {
  return appError('invalid_argument', `The user is refused: ${reason}.`);
}
