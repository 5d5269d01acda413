import type { Scope } from '@placard/service-kit';
import { openGrpcClient, type CallContext } from '@placard/service-kit/grpc';
import type { EventVerdict } from '@placard/service-kit/pure';
import { EventsServiceService } from '@placard/protos/events/v1/events.js';
import type { AdEventBody, FallbackEventBody, RewardEventBody } from '../domain/bodies.js';
import { adEventToWire, fallbackToWire, rewardToWire } from './events-wire.js';
import { PEER_BUDGET_MS, type PeerOptions } from './peer.js';
import { nameOf } from './wire.js';

/** events-service as functions. All fail with internal errors when the peer is unavailable. */
export interface EventsClient {
  recordImpression(body: AdEventBody, call: CallContext): Promise<EventVerdict>;
  recordClick(body: AdEventBody, call: CallContext): Promise<EventVerdict>;
  recordReward(body: RewardEventBody, call: CallContext): Promise<EventVerdict>;
  /**
   * `country`: country of this request, ISO 3166-1 alpha-2; null: unknown. Errors: `invalid_session`,
   * `session_expired`, `invalid_app_key`, `placement_not_found`.
   */
  recordFallback(body: FallbackEventBody, country: string | null, call: CallContext): Promise<void>;
}

/** Opens the client, whether or not events-service is up. */
export function openEventsClient(scope: Scope, options: PeerOptions): EventsClient {
  const client = openGrpcClient(scope, EventsServiceService, { ...options, budgetMs: PEER_BUDGET_MS });
  return {
    async recordImpression(body, call) {
      return nameOf.verdict((await client.recordImpression(adEventToWire(body), call)).verdict);
    },
    async recordClick(body, call) {
      return nameOf.verdict((await client.recordClick(adEventToWire(body), call)).verdict);
    },
    async recordReward(body, call) {
      return nameOf.verdict((await client.recordReward(rewardToWire(body), call)).verdict);
    },
    async recordFallback(body, country, call) {
      await client.recordFallback(fallbackToWire(body, country), call);
    },
  };
}
