import type {
  AdEventType,
  History,
  JudgedEvent,
  ReadableEvent,
  RejectionReason,
  ReportedEvent,
} from './event.js';

/** The judgement of fraud-service on an event. */
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
 * Judges an event by its token alone, in the order of the contract; null: the event's history decides next. The click
 * and reward window of `windowMs` begins when the ad is over and includes its last instant.
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
 * Judges an event by its history; null: the fraud rules decide next. A judged impression gets the same answer after its
 * expiry too. A click or reward needs an accepted impression first.
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

/** The answer to an event that passed and was not stored: another copy was first, or time ran out. */
export function judgeUnstored(type: AdEventType, history: History): Rejection {
  const own = history[type];
  return own === null ? rejected('expired_token') : repeated(own);
}
