import { MINUTE_MS, type Clock } from '@placard/service-kit/pure';
import type { Actor } from '../../access/domain/actor.js';
import { hashSecret } from '../../access/store/secret-hash.js';
import { isAlive } from '../domain/session.js';
import type { UserStore } from '../store/user-store.js';

/** A use is noted again when the last one is older. */
const TOUCH_MS = MINUTE_MS;

/** The user of a session's token. Null: there is no such session, or it has ended. Error `unavailable`. */
export type AuthenticateSession = (token: string) => Promise<Actor | null>;

/** What {@link AuthenticateSession} needs. */
export interface AuthenticateSessionDeps {
  readonly store: Pick<UserStore, 'readSession' | 'touchSession'>;
  readonly clock: Clock;
}

/** Makes {@link AuthenticateSession}. */
export function makeAuthenticateSession({ store, clock }: AuthenticateSessionDeps): AuthenticateSession {
  return async (token) => {
    const hash = hashSecret(token);
    const found = await store.readSession(hash);
    const nowMs = clock.now();
    if (found === undefined || !isAlive(found.session, nowMs)) return null;
    if (nowMs - found.session.lastUsedAtMs >= TOUCH_MS) await store.touchSession(hash, nowMs);
    const { id, name, role } = found.user;
    return { kind: 'user', id, name, role };
  };
}
