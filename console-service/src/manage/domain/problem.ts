import { problemDetails, type ProblemStatus } from '@placard/service-kit/pure';
import type { FieldError, Schemas } from './operations.js';

/** Problem details, see the document. */
export type Problem = Schemas['Problem'];

/** The media type of problem details. RFC 9457. */
export const PROBLEM_TYPE = 'application/problem+json';

/** The parts of a problem. */
export interface ProblemParts {
  readonly status: ProblemStatus;
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly FieldError[] | undefined;
  /** Whole seconds after which the call may be repeated. Null or missing: the cause does not say. */
  readonly retryAfterSeconds?: number | null;
}

/** Makes problem details. */
export function toProblem({ status, code, detail, errors }: ProblemParts, requestId: string): Problem {
  const problem = problemDetails({ status, code, detail }, requestId);
  return errors === undefined ? problem : { ...problem, errors };
}

const STATUSES: Readonly<Record<string, ProblemStatus>> = {
  invalid_argument: 422,
  validation_failed: 422,
  not_found: 404,
  conflict: 409,
  failed_precondition: 409,
  unauthenticated: 401,
  permission_denied: 403,
  rate_limited: 429,
  overloaded: 503,
  unavailable: 503,
  deadline_exceeded: 504,
};

/** The status of an error by its code. */
export function statusOf(code: string): ProblemStatus {
  return STATUSES[code] ?? 500;
}
