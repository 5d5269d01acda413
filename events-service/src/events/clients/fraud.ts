import {
  EventType,
  FraudServiceService,
  type EventToJudge as WireEvent,
} from '@placard/protos/fraud/v1/fraud.js';
import { adFormatToWire, appError, openGrpcClient, type Scope } from '@placard/service-kit';
import type { ImpressionClaims } from '@placard/service-kit/pure';
import type { AdEventType } from '../domain/event.js';
import type { Judgement } from '../domain/judge.js';

/** An impression or click for the fraud rules; instants are epoch ms. */
export interface EventToJudge {
  readonly type: 'impression' | 'click';
  readonly claims: ImpressionClaims;
  readonly arrivedAtMs: number;
  /** Of a click: when its impression arrived; null for an impression. */
  readonly impressionArrivedAtMs: number | null;
}

/** A line of the suspicious-event log. */
export interface SuspiciousEvent {
  /** A fraud rule, or a rejection reason of the contract. */
  readonly rule: string;
  readonly event: AdEventType;
  readonly claims: ImpressionClaims;
  /** Epoch ms. */
  readonly atMs: number;
}

/** What events-service asks of fraud-service. Errors: as the wire gives them, `unavailable` when it cannot be reached. */
export interface FraudClient {
  /** Judgements in the order of the events; safe to repeat. `deadlineAtMs`: when no one waits for the answer any more. */
  judge(events: readonly EventToJudge[], deadlineAtMs: number): Promise<readonly Judgement[]>;
  recordSuspicious(events: readonly SuspiciousEvent[]): Promise<void>;
}

/** Opens {@link FraudClient}. */
export function openFraudClient(scope: Scope, address: string): FraudClient {
  const client = openGrpcClient(scope, FraudServiceService, { address, name: 'fraud-service' });
  return {
    async judge(events, deadlineAtMs) {
      const { judgements } = await client.judgeEvents(
        { events: events.map(toWire) },
        { deadlineAt: deadlineAtMs },
      );
      if (judgements.length === events.length) return judgements;
      throw appError('unavailable', 'fraud-service left events unjudged.');
    },
    async recordSuspicious(events) {
      await client.recordSuspiciousEvents({
        events: events.map(({ rule, event, claims, atMs }) => ({
          rule,
          event,
          appId: claims.appId,
          placement: claims.placement,
          sessionId: claims.sessionId,
          requestId: claims.requestId,
          atMs: BigInt(atMs),
        })),
      });
    },
  };
}

function toWire({ type, claims, arrivedAtMs, impressionArrivedAtMs }: EventToJudge): WireEvent {
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
