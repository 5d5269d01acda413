import type { ImpressionClaims } from '@placard/service-kit/pure';
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

/** Calls to fraud-service. Errors: those of the RPC, and `unavailable` when fraud-service cannot be reached. */
export interface FraudClient {
  /** Judgements in the order of the events; safe to repeat. `deadlineAtMs`: when the last caller stops waiting. */
  judge(events: readonly EventToJudge[], deadlineAtMs: number): Promise<readonly Judgement[]>;
  recordSuspicious(events: readonly SuspiciousEvent[]): Promise<void>;
}
