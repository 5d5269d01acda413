import { appError } from '../process/errors.js';
import type { Abandonment } from './abandonment.js';

/** The data that travels with a call through all services. */
export interface CallContext {
  /** Epoch milliseconds: the caller stops waiting then. */
  readonly deadlineAt: number;
  /**
   * The id of the HTTP request that causes the call (`X-Request-Id`); log lines have it as `requestId`. `-`: the call
   * serves no single request.
   */
  readonly requestId: string;
  /** W3C `traceparent` of the step that makes or answers the call. Null or missing: the request is not traced. */
  readonly traceparent?: string | null;
  /** Whether the caller still waits. Missing: it is not known, or the call goes on in any case. */
  readonly abandonment?: Abandonment | undefined;
}

/** Kept back at each hop for the transport of the answer. */
export const HOP_RESERVE_MS = 10;
/** A call with less time left is refused. */
export const MEANINGFUL_WORK_MS_MIN = 15;
/** Budget of a call without a deadline. */
export const DEFAULT_BUDGET_MS = 2_000;

/**
 * The deadline for a callee: the deadline of the caller minus the reserve of this hop, at most `budgetMs` from now.
 * Throws `deadline_exceeded` when too little time is left for useful work.
 */
export function nextDeadline(nowMs: number, callerDeadlineAt: number | null, budgetMs: number): number {
  const own = nowMs + budgetMs;
  const deadlineAt = callerDeadlineAt === null ? own : Math.min(own, callerDeadlineAt - HOP_RESERVE_MS);
  if (deadlineAt - nowMs < MEANINGFUL_WORK_MS_MIN) {
    throw appError('deadline_exceeded', 'Too little time was left to begin.');
  }
  return deadlineAt;
}
