import type { CallContext } from '@placard/service-kit/grpc';
import type { Tokens } from '@placard/service-kit/tokens';
import type { Clock, ImpressionClaims } from '@placard/service-kit/pure';
import type { AdEventType, EventVerdict, ReadableEvent, ReportedEvent } from '../domain/event.js';
import { judgeToken, type Rejection } from '../domain/judge.js';
import type { Groups } from './groups.js';
import type { PendingEvent } from './judge-group.js';

/** An event as a client sent it. */
export interface EventReport {
  readonly type: AdEventType;
  readonly requestId: string;
  readonly impressionToken: string;
  /** Whether the reward was completed; null for other events. */
  readonly completion: boolean | null;
}

/** The call that reports an event. */
export type EventCall = Pick<CallContext, 'deadlineAt' | 'requestId' | 'traceparent'>;

/**
 * Judges and stores an event. Every rejection is final. Errors `unavailable`, `deadline_exceeded`: nothing is known of
 * the event, and the client may send it again. Contract: docs/contract/sdk-api.md#event-rejections,
 * docs/contract/order-of-checks.md#impression.
 */
export type RecordEvent = (report: EventReport, call: EventCall) => Promise<EventVerdict>;

/** What {@link makeRecordEvent} needs. */
export interface RecordEventDeps {
  readonly tokens: Pick<Tokens<ImpressionClaims>, 'open'>;
  readonly clock: Clock;
  /** How long after an ad's expiry clicks and rewards are accepted, milliseconds. */
  readonly eventWindowMs: number;
  /** Called with the content of each token that can be read, for the trace of the event. */
  readonly onRead: (claims: ImpressionClaims) => void;
  readonly groups: Pick<Groups<PendingEvent, 'accepted' | Rejection>, 'add'>;
  readonly onAccepted: (event: ReportedEvent, call: EventCall) => void;
  readonly onRejected: (event: ReportedEvent, rejection: Rejection, call: EventCall) => void;
}

/** Makes {@link RecordEvent}. */
export function makeRecordEvent(deps: RecordEventDeps): RecordEvent {
  return async ({ type, requestId, impressionToken, completion }, call) => {
    const arrivedAtMs = deps.clock.now();
    const claims = deps.tokens.open(impressionToken);
    if (claims !== null) deps.onRead(claims);
    const event: ReportedEvent = { type, requestId, claims, completion, arrivedAtMs };
    const outcome =
      judgeToken(event, deps.eventWindowMs) ??
      (await deps.groups.add({
        event: event as ReadableEvent,
        deadlineAtMs: call.deadlineAt,
        traceparent: call.traceparent ?? null,
      }));
    if (outcome === 'accepted') {
      deps.onAccepted(event, call);
      return 'accepted';
    }
    deps.onRejected(event, outcome, call);
    return outcome.reason;
  };
}
