import type { Scope } from '@placard/service-kit';
import { openGrpcClient, type CallContext } from '@placard/service-kit/grpc';
import { ServingServiceService } from '@placard/protos/serving/v1/serving.js';
import type { AdAnswer, AdRequestBody } from '../domain/bodies.js';
import { PEER_BUDGET_MS, type PeerOptions } from './peer.js';
import { adAnswerFromWire, adRequestToWire, type RequestOrigin } from './serving-wire.js';

/** serving-service as functions. */
export interface ServingClient {
  /** Errors: those of `POST /ads/request`, and internal ones when the peer is unavailable. */
  requestAd(body: AdRequestBody, origin: RequestOrigin, call: CallContext): Promise<AdAnswer>;
}

/** Opens the client, whether or not serving-service is up. */
export function openServingClient(scope: Scope, options: PeerOptions): ServingClient {
  const client = openGrpcClient(scope, ServingServiceService, { ...options, budgetMs: PEER_BUDGET_MS });
  return {
    requestAd: async (body, origin, call) =>
      adAnswerFromWire(await client.requestAd(adRequestToWire(body, origin), call)),
  };
}
