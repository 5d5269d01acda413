import type {
  AdEventType,
  History,
  JudgedEvent,
  ReadableEvent,
  RejectionReason,
  ReportedEvent,
} from './event.js';

/** What fraud-service says of an event. */
export interface Judgement {
  readonly passes: boolean;
  /** The rule that was broken; empty when the event passes. */
  readonly rule: string;
}

/** A rejection, and the rule or reason under which the suspicious-event log keeps it. */
export interface Rejection {
  readonly reason: RejectionReason;
  readonly rule: string;
}

function rejected(reason: RejectionReason, rule: string = reason): Rejection {
  return { reason, rule };
}

/**
 * What the token alone decides, in the order of the contract; null: the event's history decides next. The click and
 * reward window of `windowMs` begins when the ad is over and includes its last instant.
 * Contract: docs/contract/order-of-checks.md#click-and-reward.
 */
export function judgeToken(event: ReportedEvent, windowMs: number): Rejection | null {
  const { claims } = event;
  if (claims === null) return rejected('invalid_token');
  if (claims.requestId !== event.requestId) return rejected('request_mismatch');
  if (event.type === 'impression') return null;
  if (event.type === 'reward' && claims.format !== 'rewarded') return rejected('invalid_token');
  return event.arrivedAtMs > claims.expiresAtMs + windowMs ? rejected('expired_token') : null;
}

/**
 * What was stored before decides next; null: the fraud rules decide. An impression that was judged answers the same
 * after its expiry too, while a click or reward needs an accepted impression first.
 * Contract: docs/contract/order-of-checks.md#impression, docs/contract/order-of-checks.md#click-and-reward.
 */
export function judgeHistory(event: ReadableEvent, history: History): Rejection | null {
  if (event.type === 'impression') {
    if (history.impression !== null) return repeated(history.impression);
    return event.arrivedAtMs < event.claims.expiresAtMs ? null : rejected('expired_token');
  }
  if (history.impression?.verdict !== 'accepted') return rejected('no_impression');
  const own = history[event.type];
  return own === null ? null : repeated(own);
}

/** The answer to an event that was judged before. Contract: docs/contract/final-answers.md#suspicious-is-kept. */
export function repeated(judged: JudgedEvent): Rejection {
  return judged.verdict === 'accepted'
    ? rejected('duplicate')
    : rejected('suspicious', judged.rule ?? 'suspicious');
}

/** What becomes of an event that was not stored although it passed: another copy was first, or time ran out. */
export function judgeUnstored(type: AdEventType, history: History): Rejection {
  const own = history[type];
  return own === null ? rejected('expired_token') : repeated(own);
}
