import { messageOf, type Scope } from '@placard/service-kit';
import { MINUTE_MS } from '@placard/service-kit/pure';
import { Router, type RequestHandler } from 'express';
import type { SigningKeys } from '../webhooks/usecase/signing-keys.js';

/** Where receivers find the keys that verify what Placard signs. RFC 8615. */
export const KEY_SET_PATH = '/.well-known/jwks.json';

/** How long receivers may keep the keys. This process keeps its copy for a minute. */
const MAX_AGE_SECONDS = 300;

/** What {@link makeKeySet} needs. */
export interface KeySetDeps {
  readonly scope: Pick<Scope, 'clock' | 'log'>;
  readonly signingKeys: Pick<SigningKeys, 'publicParts'>;
}

/** Serves the public keys as a JSON Web Key Set (RFC 7517). Contract: docs/reward-callbacks.md#the-signature. */
export function makeKeySet({ scope, signingKeys }: KeySetDeps): RequestHandler {
  const router = Router({ caseSensitive: true });
  let known: { readonly body: string; readonly untilMs: number } | null = null;
  router.get(KEY_SET_PATH, async (_request, response) => {
    try {
      // Anyone may ask, so an answer of a minute ago saves the database the question.
      if (known === null || known.untilMs <= scope.clock.now())
        known = {
          body: JSON.stringify({ keys: await signingKeys.publicParts() }),
          untilMs: scope.clock.now() + MINUTE_MS,
        };
      response
        .set('Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`)
        .type('application/jwk-set+json')
        .send(known.body);
    } catch (error) {
      scope.log.warn({ reason: messageOf(error) }, 'the signing keys could not be read');
      response
        .status(503)
        .set('Cache-Control', 'no-store')
        .json({ error: { message: 'The keys cannot be read now. Try again.' } });
    }
  });
  return router;
}
