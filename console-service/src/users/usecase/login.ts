import type { Clock, Random } from '@placard/service-kit/pure';
import { actorText } from '../../access/domain/permission.js';
import { hashSecret } from '../../access/store/secret-hash.js';
import { readRecoveryCode } from '../domain/recovery-code.js';
import { makeSessionToken } from '../domain/session.js';
import { nameKey, type User } from '../domain/user.js';
import { totpStepOf } from '../store/totp.js';
import type { StoredUser, UserStore } from '../store/user-store.js';
import type { CheckPassword } from './check-password.js';

/** Who wants to log in. */
export interface LoginRequest {
  readonly name: string;
  readonly password: string;
  /** A code of the user's authenticator app, or a recovery code. Null: none was sent. */
  readonly code: string | null;
}

/**
 * Begins a session; `token` is shown this once and is not stored. Null: the name, the password or the code is wrong; nothing
 * says which, also not the time of the answer. Error `rate_limited`: there were too many attempts with this name.
 */
export type Login = (
  request: LoginRequest,
) => Promise<{ readonly token: string; readonly user: User } | null>;

/** What {@link Login} needs. */
export interface LoginDeps {
  readonly store: Pick<
    UserStore,
    'addSession' | 'audit' | 'forgetAttempts' | 'takeRecoveryCode' | 'takeTotpStep'
  >;
  readonly checkPassword: CheckPassword;
  readonly clock: Clock;
  readonly random: Random;
  /** Resolves when a refusal may be answered: a fixed time after this call. */
  readonly refusalTime: () => Promise<void>;
}

/** Makes {@link Login}. */
export function makeLogin({ store, checkPassword, clock, random, refusalTime }: LoginDeps): Login {
  const isSecondFactor = async ({ user, totpSecret }: StoredUser, code: string | null): Promise<boolean> => {
    if (!user.hasTotp || totpSecret === null) return true;
    if (code === null) return false;
    const step = totpStepOf(totpSecret, code, clock.now());
    if (step !== null) return store.takeTotpStep(user.id, step);
    const recovery = readRecoveryCode(code);
    return recovery !== null && store.takeRecoveryCode(user.id, hashSecret(recovery));
  };
  const audit = (user: User, action: 'session_begun' | 'refused', detail: Record<string, string>) =>
    store.audit({ atMs: clock.now(), actor: actorText(user), action, subject: 'login', detail });

  return async ({ name, password, code }) => {
    const isRefusalTime = refusalTime();
    const { user, named } = await checkPassword(name, password);
    const refuse = async (reason: 'wrong_password' | 'wrong_code'): Promise<null> => {
      if (named !== undefined) await audit(named.user, 'refused', { reason });
      await isRefusalTime;
      return null;
    };
    if (user === undefined) return refuse('wrong_password');
    if (!(await isSecondFactor(user, code))) return refuse('wrong_code');
    const token = makeSessionToken(random);
    const { passwordHash } = user;
    const session = { userId: user.user.id, passwordHash, atMs: clock.now() };
    // The password may have changed since it was checked.
    if (!(await store.addSession(hashSecret(token), session))) return refuse('wrong_password');
    await store.forgetAttempts(hashSecret(nameKey(name)));
    await audit(user.user, 'session_begun', {});
    return { token, user: user.user };
  };
}
