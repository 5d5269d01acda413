import { makeBoundedMap } from '@placard/service-kit/background';
import type { KeyRing, Tokens } from '@placard/service-kit/tokens';
import type { SessionClaims } from '@placard/service-kit/pure';

/** Most session tokens in the cache. Each takes about a kilobyte. */
export const SESSIONS_MAX = 20_000;

/**
 * Opens session tokens and caches the valid ones (least recently used), because a session makes many requests with one
 * token. Tokens that cannot be opened are not cached. A change of the ring empties the cache, so tokens of a removed
 * key are refused from then on. Null as with {@link Tokens}. The caller judges the expiry.
 */
export function makeSessionOpener(
  tokens: Pick<Tokens<SessionClaims>, 'open'>,
  ring: Pick<KeyRing, 'keys'>,
  countMax: number = SESSIONS_MAX,
): (token: string) => SessionClaims | null {
  const known = makeBoundedMap<string, SessionClaims>(countMax);
  let keysOfKnown = ring.keys();
  return (token) => {
    const keys = ring.keys();
    if (keys !== keysOfKnown) {
      known.clear();
      keysOfKnown = keys;
    }
    const remembered = known.get(token);
    if (remembered !== undefined) return remembered;
    const claims = tokens.open(token);
    if (claims !== null) known.set(token, claims);
    return claims;
  };
}
