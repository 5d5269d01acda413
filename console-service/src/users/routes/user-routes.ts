import { appError } from '@placard/service-kit';
import { toIso } from '@placard/service-kit/pure';
import { isoOrNull } from '../../domain/iso-or-null.js';
import type { Actor } from '../../access/domain/actor.js';
import { roleText } from '../../access/domain/role.js';
import type { RoutesOf, Schemas } from '../../manage/domain/operations.js';
import type { User } from '../domain/user.js';
import type { CreateUser } from '../usecase/create-user.js';
import type { Login } from '../usecase/login.js';
import type { RemoveUser } from '../usecase/remove-user.js';
import type { SetOwnPassword, SetPassword } from '../usecase/set-password.js';
import type { Totp } from '../usecase/totp.js';

/** The use cases of the operations on users and sessions. */
export interface UserRoutesDeps {
  readonly login: Login;
  /** Ends the session of a token, if there is one. Error `unavailable`. */
  readonly logout: (request: { readonly actor: Actor; readonly token: string }) => Promise<void>;
  readonly createUser: CreateUser;
  /** All users, removed ones included, the oldest first. Error `unavailable`. */
  readonly listUsers: () => Promise<User[]>;
  readonly removeUser: RemoveUser;
  readonly setPassword: SetPassword;
  readonly setOwnPassword: SetOwnPassword;
  readonly totp: Totp;
}

type UserOperation =
  | 'listUsers'
  | 'createUser'
  | 'removeUser'
  | 'setUserPassword'
  | 'removeUserTotp'
  | 'beginSession'
  | 'endSession'
  | 'getActor'
  | 'setOwnPassword'
  | 'beginTotp'
  | 'confirmTotp';

const NOTHING = { body: undefined } as const;

/** The users, their sessions, and what a user does for itself. */
export function userRoutes(users: UserRoutesDeps): RoutesOf<UserOperation> {
  return {
    listUsers: async () => ({ body: { rows: (await users.listUsers()).map(toUser), next_cursor: null } }),
    createUser: async ({ actor, body }) => ({
      status: 201,
      body: toUser(await users.createUser({ actor, ...body })),
    }),
    removeUser: async ({ actor, path: { id } }) => {
      await users.removeUser({ actor, id });
      return NOTHING;
    },
    setUserPassword: async ({ actor, path: { id }, body: { password } }) => {
      await users.setPassword({ actor, id, password });
      return NOTHING;
    },
    removeUserTotp: async ({ actor, path: { id } }) => {
      await users.totp.remove(actor, id);
      return NOTHING;
    },
    beginSession: async ({ body: { name, password, code = null } }) => {
      const begun = await users.login({ name, password, code });
      if (begun === null) throw appError('unauthenticated', 'The name, the password or the code is wrong.');
      return { body: { token: begun.token, user: toUser(begun.user) } };
    },
    endSession: async ({ actor, body: { token } }) => {
      await users.logout({ actor, token });
      return NOTHING;
    },
    getActor: ({ actor: { kind, id, name, role } }) =>
      Promise.resolve({ body: { kind, id, name, role: roleText(role) } }),
    setOwnPassword: async ({ actor, body: { current, password } }) => {
      await users.setOwnPassword({ actor, current, password });
      return NOTHING;
    },
    beginTotp: async ({ actor }) => ({ body: { address: await users.totp.begin(actor) } }),
    confirmTotp: async ({ actor, body: { code } }) => ({
      body: { codes: await users.totp.confirm(actor, code) },
    }),
  };
}

function toUser(user: User): Schemas['User'] {
  return {
    id: user.id,
    name: user.name,
    role: roleText(user.role),
    has_totp: user.hasTotp,
    created_at: toIso(user.createdAtMs),
    created_by: user.createdBy,
    removed_at: isoOrNull(user.removedAtMs),
  };
}
