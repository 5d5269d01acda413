import type { Scope } from '@placard/service-kit';
import { keepRunning } from '@placard/service-kit/background';
import type { Pool } from '@placard/service-kit/postgres';
import { HOUR_MS } from '@placard/service-kit/pure';
import { actorText } from '../access/domain/permission.js';
import { hashSecret } from '../access/store/secret-hash.js';
import { SESSION_AGE_MS_MAX } from './domain/session.js';
import type { UserRoutesDeps } from './routes/user-routes.js';
import { makePgUserStore } from './store/user-store.pg.js';
import { makeAuthenticateSession, type AuthenticateSession } from './usecase/authenticate-session.js';
import { makeChangeUser } from './usecase/change-user.js';
import { makeCheckPassword } from './usecase/check-password.js';
import { makeCreateUser } from './usecase/create-user.js';
import { makeLogin } from './usecase/login.js';
import { makeRemoveUser } from './usecase/remove-user.js';
import { makeSetOwnPassword, makeSetPassword } from './usecase/set-password.js';
import { makeTotp } from './usecase/totp.js';

/** A refused login is answered this long after its begin, in milliseconds: longer than any of its steps. */
const REFUSAL_MS = 500;

/** The use cases for users and their sessions. */
export interface Users extends UserRoutesDeps {
  readonly authenticateSession: AuthenticateSession;
}

/** Opens the users. Sessions and counts of attempts that have ended are removed every hour until the scope closes. */
export function openUsers(scope: Scope, pool: Pool): Users {
  const { clock, random, timers } = scope;
  const store = makePgUserStore(pool);
  const changeUser = makeChangeUser({ store, clock });
  const checkPassword = makeCheckPassword({ store, clock });
  const setPassword = makeSetPassword(changeUser);
  const refusalTime = (): Promise<void> => new Promise((resolve) => void timers.after(REFUSAL_MS, resolve));
  keepRunning(scope, {
    name: 'removing old sessions',
    intervalMs: HOUR_MS,
    run: () => store.removeBefore(clock.now() - SESSION_AGE_MS_MAX),
  });
  return {
    authenticateSession: makeAuthenticateSession({ store, clock }),
    login: makeLogin({ store, checkPassword, clock, random, refusalTime }),
    logout: ({ actor, token }) =>
      store.endSession(hashSecret(token), { atMs: clock.now(), actor: actorText(actor) }),
    createUser: makeCreateUser({ store, clock, random }),
    listUsers: () => store.list(),
    removeUser: makeRemoveUser(changeUser),
    setPassword,
    setOwnPassword: makeSetOwnPassword(checkPassword, setPassword),
    totp: makeTotp({ changeUser, random }),
  };
}
