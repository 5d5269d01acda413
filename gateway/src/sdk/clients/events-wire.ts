import { fallbackReasonOnWire } from '@placard/service-kit/wire';
import type {
  RecordClickRequest,
  RecordFallbackRequest,
  RecordImpressionRequest,
  RecordRewardRequest,
} from '@placard/protos/events/v1/events.js';
import type { AdEventBody, FallbackEventBody, RewardEventBody } from '../domain/bodies.js';

/** Encodes a valid impression or click. */
export function adEventToWire(body: AdEventBody): RecordImpressionRequest & RecordClickRequest {
  return { requestId: body.request_id, impressionToken: body.impression_token };
}

/** Encodes a valid reward. */
export function rewardToWire(body: RewardEventBody): RecordRewardRequest {
  return { requestId: body.request_id, impressionToken: body.impression_token, completion: body.completion };
}

/** Encodes a valid fallback and the country of its request (ISO 3166-1 alpha-2; null: unknown). */
export function fallbackToWire(body: FallbackEventBody, country: string | null): RecordFallbackRequest {
  return {
    sessionToken: body.session_token,
    placement: body.placement,
    reason: fallbackReasonOnWire.toWire(body.reason),
    country: country ?? undefined,
  };
}
