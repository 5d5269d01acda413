import type { Part } from '../part.js';
import { by } from '../replace.js';
import { opening, sealing, uncheckedClaims } from '../stands.js';

const IN_EVENTS = ['events-service'] as const;
const SEALING = ['session-service', 'serving-service'] as const;

/** Making and reading tokens. */
export const TOKENS_PARTS: readonly Part[] = [
  {
    id: 'sealing',
    name: 'sealing of the token',
    calls: ['session', 'request'],
    instead: 'a token that was sealed before, followed by the plain text of the new one',
    keeps: false,
    patches: [
      { module: 'service-kit/dist/tokens/seal.js', name: 'makeSealer', processes: SEALING, replace: sealing },
    ],
  },
  {
    id: 'opening',
    name: 'opening of the token',
    calls: ['impression'],
    instead: 'the plain text after the token is read',
    patches: [
      {
        module: 'service-kit/dist/tokens/seal.js',
        name: 'makeSealer',
        processes: ['serving-service', 'events-service'],
        replace: opening,
      },
    ],
  },
  {
    id: 'claims',
    name: 'check of what the token says',
    calls: ['impression'],
    instead: 'the claims of the token are not checked',
    patches: [
      {
        module: 'service-kit/dist/tokens/claims.js',
        name: 'readImpressionClaims',
        processes: IN_EVENTS,
        replace: by(uncheckedClaims),
      },
    ],
  },
];
