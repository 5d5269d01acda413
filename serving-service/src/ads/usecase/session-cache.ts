import type { KeyRing, Tokens } from '@placard/service-kit/tokens';
import type { SessionClaims } from '@placard/service-kit/pure';

/** Session tokens that are remembered; each is about a kilobyte. */
export const SESSIONS_MAX = 20_000;

/**
 * Opens session tokens and remembers those that were opened, the longest unused one leaving first: a session asks many
 * times with one token. Tokens that cannot be opened are not remembered, and all are forgotten when the ring changes: what
 * was sealed with a key that it no longer holds is refused from then on. Null as with {@link Tokens}: expiry is the
 * caller's to judge.
 */
export function makeSessionOpener(
  tokens: Pick<Tokens<SessionClaims>, 'open'>,
  ring: Pick<KeyRing, 'keys'>,
  countMax: number = SESSIONS_MAX,
): (token: string) => SessionClaims | null {
  const known = new Map<string, SessionClaims>();
  let keysOfKnown = ring.keys();
  return (token) => {
    const keys = ring.keys();
    if (keys !== keysOfKnown) {
      known.clear();
      keysOfKnown = keys;
    }
    const remembered = known.get(token);
    if (remembered !== undefined) {
      known.delete(token);
      known.set(token, remembered);
      return remembered;
    }
    const claims = tokens.open(token);
    if (claims === null) return null;
    const [oldest] = known.size >= countMax ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    known.set(token, claims);
    return claims;
  };
}
