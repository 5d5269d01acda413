import type {
  CountSuspiciousEventsRequest,
  CountSuspiciousEventsResponse,
} from '@placard/protos/fraud/v1/fraud.js';
import type { ImpressionClaims, RequestId } from '@placard/service-kit/pure';
import type { AdEventType } from '../domain/event.js';
import type { Judgement } from '../domain/judge.js';

/** An impression or click for the fraud rules; instants are epoch ms. */
export interface EventToJudge {
  readonly type: 'impression' | 'click';
  readonly claims: ImpressionClaims;
  readonly arrivedAtMs: number;
  /** When the impression of a click arrived; null for an impression. */
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

/** An entry of the suspicious-event log about one ad. */
export interface RefusedEvent {
  /** A fraud rule, or a rejection reason of the contract. */
  readonly rule: string;
  readonly event: string;
  readonly atMs: number;
}

/** Calls to fraud-service. Errors: those of the RPC, and `unavailable` when fraud-service cannot be reached. */
export interface FraudClient {
  /** Judgements in the order of the events; safe to repeat. `deadlineAtMs`: when the last caller stops waiting. */
  judge(events: readonly EventToJudge[], deadlineAtMs: number): Promise<readonly Judgement[]>;
  recordSuspicious(events: readonly SuspiciousEvent[]): Promise<void>;
  /** The refused events of an ad that arrived in a range (epoch ms, half-open), in the order of their arrival. */
  refusedOf(
    requestId: RequestId,
    range: { readonly fromMs: number; readonly toMs: number },
  ): Promise<readonly RefusedEvent[]>;
  /** Counts suspicious events for console-service, in the messages of fraud-service. Error `invalid_argument`. */
  countSuspicious(query: CountSuspiciousEventsRequest): Promise<CountSuspiciousEventsResponse>;
}
