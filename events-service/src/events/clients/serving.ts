import {
  FillFate,
  ServingServiceService,
  type FillOutcome as WireOutcome,
} from '@placard/protos/serving/v1/serving.js';
import { openGrpcClient, type Scope } from '@placard/service-kit';
import type { ImpressionClaims } from '@placard/service-kit/pure';
import type { StoredVerdict } from '../domain/event.js';

/** What became of a fill: its impression was judged. */
export interface FillOutcome {
  readonly claims: ImpressionClaims;
  readonly verdict: StoredVerdict;
}

/** What events-service tells serving-service. */
export interface ServingClient {
  /** A hint that keeps budgets and frequency caps fresh; safe to repeat. Error `unavailable` when it cannot be reached. */
  commit(outcomes: readonly FillOutcome[]): Promise<void>;
}

/** Opens {@link ServingClient}. */
export function openServingClient(scope: Scope, address: string): ServingClient {
  const client = openGrpcClient(scope, ServingServiceService, { address, name: 'serving-service' });
  return {
    async commit(outcomes) {
      await client.commitReservations({ outcomes: outcomes.map(toWire) });
    },
  };
}

function toWire({ claims, verdict }: FillOutcome): WireOutcome {
  return {
    requestId: claims.requestId,
    fate: verdict === 'accepted' ? FillFate.SHOWN : FillFate.SUSPICIOUS,
    sessionId: claims.sessionId,
    sessionExpiresAtMs: BigInt(claims.sessionExpiresAtMs),
    appId: claims.appId,
    placement: claims.placement,
    campaignId: claims.campaignId,
    advertiserId: claims.advertiserId,
    costNanos: claims.costNanos,
    filledAtMs: BigInt(claims.filledAtMs),
    expiresAtMs: BigInt(claims.expiresAtMs),
    test: claims.isTest,
  };
}
