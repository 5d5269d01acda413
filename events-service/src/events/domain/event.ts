import type { AdEventType, ImpressionClaims, RequestId } from '@placard/service-kit/pure';

export type { AdEventType, EventType, EventVerdict, RejectionReason } from '@placard/service-kit/pure';

/**
 * The verdicts that are stored. Other rejections leave no row.
 * Contract: docs/contract/final-answers.md#suspicious-is-kept.
 */
export type StoredVerdict = 'accepted' | 'suspicious';

/** An event as a client reported it; the token has been opened. */
export interface ReportedEvent {
  readonly type: AdEventType;
  /** The request id that was sent beside the token. */
  readonly requestId: string;
  /** Null: the text is not an impression token of this installation. */
  readonly claims: ImpressionClaims | null;
  /** Whether the reward was completed; null for other events. */
  readonly completion: boolean | null;
  /** When the event reached this service, epoch ms. */
  readonly arrivedAtMs: number;
}

/** A reported event whose token can be read and belongs to the request id beside it. */
export interface ReadableEvent extends ReportedEvent {
  readonly requestId: RequestId;
  readonly claims: ImpressionClaims;
}

/** The stored row of an event. */
export interface JudgedEvent {
  readonly verdict: StoredVerdict;
  /** The fraud rule that a suspicious event broke; null for an accepted one. */
  readonly rule: string | null;
  /** Epoch ms. */
  readonly arrivedAtMs: number;
}

/** The stored events of one request id; null: no such event was judged yet. */
export interface History {
  readonly impression: JudgedEvent | null;
  readonly click: JudgedEvent | null;
  readonly reward: JudgedEvent | null;
}

/** The history of a request id without stored events. */
export const NO_HISTORY: History = { impression: null, click: null, reward: null };
