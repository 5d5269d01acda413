import {
  EventType,
  type EventToJudge as WireEvent,
  type SuspiciousEvent as WireSuspicious,
} from '@placard/protos/fraud/v1/fraud.js';
import { FillFate, type FillOutcome as WireOutcome } from '@placard/protos/serving/v1/serving.js';
import { adFormatToWire } from '@placard/service-kit/wire';
import type { EventToJudge, SuspiciousEvent } from './fraud.js';
import type { FillOutcome } from './serving.js';

/** An event for the fraud rules. */
export function toWireEvent({ type, claims, arrivedAtMs, impressionArrivedAtMs }: EventToJudge): WireEvent {
  return {
    type: type === 'impression' ? EventType.IMPRESSION : EventType.CLICK,
    requestId: claims.requestId,
    sessionId: claims.sessionId,
    sessionExpiresAtMs: BigInt(claims.sessionExpiresAtMs),
    appId: claims.appId,
    placement: claims.placement,
    format: adFormatToWire(claims.format),
    bannerRefreshSeconds: claims.bannerRefreshSeconds,
    arrivedAtMs: BigInt(arrivedAtMs),
    impressionArrivedAtMs: impressionArrivedAtMs === null ? undefined : BigInt(impressionArrivedAtMs),
  };
}

/** A line of the suspicious-event log. */
export function toWireSuspicious({ rule, event, claims, atMs }: SuspiciousEvent): WireSuspicious {
  return {
    rule,
    event,
    appId: claims.appId,
    placement: claims.placement,
    sessionId: claims.sessionId,
    requestId: claims.requestId,
    atMs: BigInt(atMs),
  };
}

/** The outcome of a fill for serving-service. */
export function toWireOutcome({ claims, verdict }: FillOutcome): WireOutcome {
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
