import type { SessionClient } from '../clients/session.js';
import type { InitializeBody } from '../domain/bodies.js';
import type { Endpoint } from './endpoint.js';

/** Contract: docs/contract/sdk-api.md#post-sdkinitialize. */
export function makeInitializeEndpoint(sessions: SessionClient): Endpoint<InitializeBody> {
  return {
    path: '/sdk/initialize',
    limits: 'sdk.initialize',
    kind: 'sessions',
    keysOf: (body) => [{ dimension: 'app_key', value: body.app_key }],
    async handle(body, { call }) {
      return { status: 200, outcome: 'session', body: await sessions.startSession(body, call) };
    },
  };
}
