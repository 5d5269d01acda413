import { appError } from '../process/errors.js';

/** What travels with a call through all services. */
export interface CallContext {
  /** Epoch milliseconds: when the caller no longer cares. */
  readonly deadlineAt: number;
  /** Correlates the log lines of one request; `-` when the caller gave none. */
  readonly requestId: string;
  /** W3C `traceparent` of the step that makes or answers the call; null or missing: the request is not traced. */
  readonly traceparent?: string | null;
}

/** Kept back at each hop for the way home. */
export const HOP_RESERVE_MS = 10;
/** With less than this left, work is refused instead of begun. */
export const MEANINGFUL_WORK_MS_MIN = 15;
/** Budget of a call whose caller gave no deadline. */
export const DEFAULT_BUDGET_MS = 2_000;

/**
 * The deadline that a callee gets: the caller's, less the reserve of this hop, and at most `budgetMs` from now.
 * Error `deadline_exceeded` when too little is left to do anything useful.
 */
export function nextDeadline(nowMs: number, callerDeadlineAt: number | null, budgetMs: number): number {
  const own = nowMs + budgetMs;
  const deadlineAt = callerDeadlineAt === null ? own : Math.min(own, callerDeadlineAt - HOP_RESERVE_MS);
  if (deadlineAt - nowMs < MEANINGFUL_WORK_MS_MIN) {
    throw appError('deadline_exceeded', 'Too little time was left to begin.');
  }
  return deadlineAt;
}
