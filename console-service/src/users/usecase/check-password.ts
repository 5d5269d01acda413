import { appError } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';
import { hashSecret } from '../../access/store/secret-hash.js';
import { waitOf, windowOf } from '../domain/login-attempts.js';
import { readPassword } from '../domain/password.js';
import { nameKey } from '../domain/user.js';
import { hashPassword, isPassword } from '../store/password-hash.js';
import type { StoredUser, UserStore } from '../store/user-store.js';

/**
 * The user with a name and a password. Undefined: there is none; `named` is then the user with the name, if there is one. It
 * takes the same time whether the name is known or not. Error `rate_limited`: there were too many attempts with this name,
 * whether it is known or not.
 */
export type CheckPassword = (
  name: string,
  password: string,
) => Promise<{ readonly user: StoredUser | undefined; readonly named: StoredUser | undefined }>;

/** What {@link CheckPassword} needs. */
export interface CheckPasswordDeps {
  readonly store: Pick<UserStore, 'countAttempt' | 'findByName'>;
  readonly clock: Clock;
}

/** Makes {@link CheckPassword}. An attempt counts before it is judged, so that attempts at the same time count as well. */
export function makeCheckPassword({ store, clock }: CheckPasswordDeps): CheckPassword {
  // An unknown name costs the same hash as a known one.
  let nobody: Promise<string> | undefined;
  return async (name, password) => {
    const key = nameKey(name);
    const nowMs = clock.now();
    const count = await store.countAttempt(hashSecret(key), windowOf(nowMs));
    const retryAfterSeconds = waitOf(count, nowMs);
    if (retryAfterSeconds !== null) {
      const text = `There were too many attempts with this name. Wait ${retryAfterSeconds} seconds.`;
      throw appError('rate_limited', text, { retryAfterSeconds });
    }
    nobody ??= hashPassword('nobody has this password');
    const named = await store.findByName(key);
    const read = readPassword(password);
    const isRight = await isPassword(
      named?.passwordHash ?? (await nobody),
      'fault' in read ? '' : read.password,
    );
    return { user: isRight ? named : undefined, named };
  };
}
