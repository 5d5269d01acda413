import type { Scope } from '@placard/service-kit';
import { openGrpcClient, type CallContext } from '@placard/service-kit/grpc';
import { SessionServiceService } from '@placard/protos/session/v1/session.js';
import type { InitializeBody, Session } from '../domain/bodies.js';
import { PEER_BUDGET_MS, type PeerOptions } from './peer.js';
import { initializeToWire, sessionFromWire } from './session-wire.js';

/** session-service as functions. */
export interface SessionClient {
  /**
   * Errors: `invalid_app_key`, `package_mismatch`, `app_not_approved`, and internal ones when the peer is unavailable.
   */
  startSession(body: InitializeBody, call: CallContext): Promise<Session>;
}

/** Opens the client, whether or not session-service is up. */
export function openSessionClient(scope: Scope, options: PeerOptions): SessionClient {
  const client = openGrpcClient(scope, SessionServiceService, { ...options, budgetMs: PEER_BUDGET_MS });
  return {
    startSession: async (body, call) =>
      sessionFromWire(await client.startSession(initializeToWire(body), call)),
  };
}
