import {
  dayOf,
  minuteOf,
  type AdFormat,
  type RequestId,
  type SessionId,
  type PublisherId,
  type AppId,
  type AdvertiserId,
  type CampaignId,
  type CreativeId,
  type PlacementCode,
} from '@placard/service-kit/pure';
import type { EventType, ReadableEvent, StoredVerdict } from './event.js';
import type { Judgement } from './judge.js';

/** An event as it is stored. Amounts are nano-units, instants epoch ms. */
export interface EventRow {
  /** UTC day (since 1970) of the fill; for a fallback, of its arrival. */
  readonly day: number;
  readonly requestId: RequestId;
  readonly type: EventType;
  readonly verdict: StoredVerdict;
  readonly rule: string | null;
  readonly isTest: boolean;
  readonly arrivedAtMs: number;
  /** Null for a fallback, as are the ids of the ad. */
  readonly fillMinute: number | null;
  readonly sessionId: SessionId;
  readonly publisherId: PublisherId;
  readonly appId: AppId;
  readonly placement: PlacementCode;
  readonly format: AdFormat;
  readonly country: string | null;
  readonly advertiserId: AdvertiserId | null;
  readonly campaignId: CampaignId | null;
  readonly creativeId: CreativeId | null;
  readonly costNanos: bigint;
  readonly publisherNanos: bigint;
  readonly completion: boolean | null;
  readonly fallbackReason: string | null;
  /** The run of the lease that pays for an impression; empty for other events. */
  readonly leaseRun: string;
  /** W3C `traceparent` of the request that reported the event, so that its settlement can name it; null: not traced. */
  readonly traceparent: string | null;
}

/**
 * The row of a judged event. All values come from the token, so later changes of the catalog do not matter. A test event
 * costs nothing, whatever the price in its token. Contract: docs/contract/final-answers.md#judged-by-the-token.
 */
export function toEventRow(event: ReadableEvent, judgement: Judgement, traceparent: string | null): EventRow {
  const { claims } = event;
  const isPaid = event.type === 'impression' && !claims.isTest;
  return {
    day: dayOf(claims.filledAtMs),
    requestId: claims.requestId,
    type: event.type,
    verdict: judgement.passes ? 'accepted' : 'suspicious',
    rule: judgement.passes ? null : judgement.rule,
    isTest: claims.isTest,
    arrivedAtMs: event.arrivedAtMs,
    fillMinute: minuteOf(claims.filledAtMs),
    sessionId: claims.sessionId,
    publisherId: claims.publisherId,
    appId: claims.appId,
    placement: claims.placement,
    format: claims.format,
    country: claims.country,
    advertiserId: claims.advertiserId,
    campaignId: claims.campaignId,
    creativeId: claims.creativeId,
    costNanos: isPaid ? claims.costNanos : 0n,
    publisherNanos: isPaid ? claims.publisherNanos : 0n,
    completion: event.completion,
    fallbackReason: null,
    leaseRun: event.type === 'impression' ? claims.leaseRun : '',
    traceparent,
  };
}
