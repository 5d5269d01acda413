import {
  dayOf,
  type App,
  type Placement,
  type RequestId,
  type SessionClaims,
} from '@placard/service-kit/pure';
import type { EventRow } from './event-row.js';

/** Why the client fell back. Specification: "Event payloads". */
export type FallbackReason = 'no_fill' | 'timeout' | 'error' | 'creative_failed';

/** A fallback that has passed all checks. */
export interface Fallback {
  /** Made for the row; a client sends none. */
  readonly id: RequestId;
  readonly session: SessionClaims;
  readonly app: App;
  readonly placement: Placement;
  readonly reason: FallbackReason;
  /** Epoch ms. */
  readonly arrivedAtMs: number;
}

/** The row of a fallback: telemetry, so it moves no money and names nothing that was shown. */
export function toFallbackRow(fallback: Fallback): EventRow {
  return {
    day: dayOf(fallback.arrivedAtMs),
    requestId: fallback.id,
    type: 'fallback',
    verdict: 'accepted',
    rule: null,
    isTest: false,
    arrivedAtMs: fallback.arrivedAtMs,
    fillMinute: null,
    sessionId: fallback.session.sessionId,
    publisherId: fallback.app.publisherId,
    appId: fallback.app.id,
    placement: fallback.placement.code,
    format: fallback.placement.format,
    country: null,
    advertiserId: null,
    campaignId: null,
    creativeId: null,
    costNanos: 0n,
    publisherNanos: 0n,
    completion: null,
    fallbackReason: fallback.reason,
    storeBeforeMs: null,
    traceparent: null,
  };
}
