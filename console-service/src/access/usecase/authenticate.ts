import { makeBoundedMap } from '@placard/service-kit/background';
import { MINUTE_MS, SECOND_MS, type Clock } from '@placard/service-kit/pure';
import type { Actor } from '../domain/actor.js';
import { readKeyText, type ApiKey } from '../domain/api-key.js';
import type { KeyStore } from '../store/key-store.js';
import { isSessionToken } from '../../users/domain/session.js';
import type { AuthenticateSession } from '../../users/usecase/authenticate-session.js';
import { hashSecret, isSameHash } from '../store/secret-hash.js';
import type { InstallBootstrapKey } from './install-bootstrap-key.js';
import type { NoteRefusal } from './note-refusal.js';

/** A key that was read is trusted this long without another read. A revoked key stops working within it on every replica. */
const TRUSTED_MS = SECOND_MS;
/** A use is noted again when the last one is older. */
const TOUCH_MS = 10 * MINUTE_MS;
/** Most keys that are trusted at the same time. */
const KEYS_MAX = 1_000;
const SCHEME = /^Bearer +(\S+)$/i;

/**
 * Who sends an `Authorization` header. Null: nobody that is known; the caller answers 401 and does not say why. Error
 * `unavailable`: the keys cannot be read now.
 */
export type Authenticate = (authorization: string | undefined) => Promise<Actor | null>;

/** Why an `Authorization` header is refused. `session`: the session has ended, or never was. */
export type Unauthenticated = 'missing' | 'malformed' | 'unknown' | 'wrong_secret' | 'revoked' | 'session';

/** What {@link Authenticate} needs. */
export interface AuthenticateDeps {
  readonly store: Pick<KeyStore, 'read' | 'touch'>;
  readonly clock: Clock;
  readonly installBootstrapKey: InstallBootstrapKey;
  readonly authenticateSession: AuthenticateSession;
  readonly noteRefusal: NoteRefusal;
  /** Is called for each header that is refused. */
  readonly onRefused: (reason: Unauthenticated) => void;
}

interface Trusted {
  readonly actor: Actor;
  readonly untilMs: number;
}

/** Makes {@link Authenticate}. */
export function makeAuthenticate(deps: AuthenticateDeps): Authenticate {
  const { store, clock, installBootstrapKey, authenticateSession, noteRefusal, onRefused } = deps;
  const trusted = makeBoundedMap<string, Trusted>(KEYS_MAX);
  const refuse = async (reason: Unauthenticated, key?: ApiKey): Promise<null> => {
    onRefused(reason);
    if (key !== undefined) await noteRefusal(key, 'authenticate', reason);
    return null;
  };
  return async (authorization) => {
    if (authorization === undefined) return refuse('missing');
    const text = SCHEME.exec(authorization)?.[1] ?? '';
    if (isSessionToken(text)) return (await authenticateSession(text)) ?? refuse('session');
    const sent = readKeyText(text);
    if (sent === null) return refuse('malformed');
    const nowMs = clock.now();
    const hash = hashSecret(sent.text);
    const entry = hash.toString('base64');
    const known = trusted.get(entry);
    if (known !== undefined && nowMs < known.untilMs) return known.actor;
    const stored = (await store.read(sent.id)) ?? (await installBootstrapKey(sent));
    if (stored === undefined) return refuse('unknown');
    if (!isSameHash(stored.hash, hash)) return refuse('wrong_secret', stored.key);
    if (stored.key.revokedAtMs !== null) return refuse('revoked', stored.key);
    if (nowMs - (stored.key.lastUsedAtMs ?? 0) >= TOUCH_MS) await store.touch(sent.id, nowMs);
    const { id, name, role } = stored.key;
    const actor: Actor = { kind: 'key', id, name, role };
    trusted.set(entry, { actor, untilMs: nowMs + TRUSTED_MS });
    return actor;
  };
}
