import type { ImpressionClaims, SessionClaims } from '../pure/index.js';
import {
  readImpressionClaims,
  readSessionClaims,
  writeImpressionClaims,
  writeSessionClaims,
} from './claims.js';
import type { KeyRing } from './key-ring.js';
import { makeSealer } from './seal.js';

/** Seals and opens one kind of token. */
export interface Tokens<Claims> {
  /** Throws an `Error` when the token would be longer than 2,048 characters. */
  seal(claims: Claims): string;
  /**
   * Null: the token is malformed, forged, of the other kind, of an unknown key, or not in its canonical spelling. An
   * expired token is opened: the caller compares `expiresAtMs`. Error `unavailable`: it is from a newer release and has a
   * claim that is unknown here.
   */
  open(token: string): Claims | null;
}

interface ClaimsText<Claims> {
  readonly write: (claims: Claims) => string;
  readonly read: (text: string) => Claims | null;
}

function makeTokens<Claims>(ring: KeyRing, { write, read }: ClaimsText<Claims>): Tokens<Claims> {
  const sealer = makeSealer(ring);
  return {
    seal: (claims) => sealer.seal(write(claims)),
    open(token) {
      const payload = sealer.open(token);
      return payload === null ? null : read(payload);
    },
  };
}

/**
 * Session tokens. Contract: docs/contract/sdk-api.md#session-token,
 * docs/contract/sessions-and-switches.md#tokens-swapped.
 */
export function makeSessionTokens(ring: KeyRing): Tokens<SessionClaims> {
  return makeTokens(ring, { write: writeSessionClaims, read: readSessionClaims });
}

/** Impression tokens. Contract: docs/contract/sdk-api.md#impression-token. */
export function makeImpressionTokens(ring: KeyRing): Tokens<ImpressionClaims> {
  return makeTokens(ring, { write: writeImpressionClaims, read: readImpressionClaims });
}
