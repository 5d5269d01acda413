import { problemDetails } from '@placard/service-kit/pure';
import type { Answer, Fields } from './answer.js';

/** Where the management API begins. */
export const MANAGE_PATH = '/manage/v1';
/** Content type of problem details. RFC 9457. */
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

const MANAGE = new RegExp(`^${MANAGE_PATH}(?:/|$)`);

/** Whether a path belongs to the management API, whose clients read problem details. */
export function isManagePath(path: string): boolean {
  return MANAGE.test(path);
}

/** The used part of the error envelope of the SDK API. */
interface Envelope {
  readonly error: { readonly message: string; readonly fields?: Fields };
}

interface Said {
  /** For programs, see docs/management-api.md. */
  readonly code: string;
  /** Null: the status of the answer. */
  readonly status: number | null;
  /** Null: the answer says it itself. */
  readonly detail: string | null;
}

/** By the outcome of the answer. */
const SAID: Readonly<Record<string, Said>> = {
  validation_failed: { code: 'invalid_argument', status: null, detail: null },
  rate_limited: { code: 'rate_limited', status: null, detail: null },
  overloaded: { code: 'overloaded', status: 503, detail: 'There is too much to do. Repeat the request.' },
  bad_gateway: { code: 'unavailable', status: 503, detail: 'console-service cannot be reached.' },
  gateway_timeout: {
    code: 'deadline_exceeded',
    status: 504,
    detail: 'console-service did not answer in time. It may still do what was asked.',
  },
};
const SERVER_ERROR: Said = { code: 'server_error', status: 500, detail: null };

/**
 * The same refusal as problem details, for a client of the management API. `refusal` has the error envelope, as all
 * answers of the gateway itself have there. Contract: docs/management-api.md.
 */
export function toProblem(refusal: Answer, requestId: string): Answer {
  const { error } = refusal.body as Envelope;
  const said = SAID[refusal.outcome] ?? SERVER_ERROR;
  const status = said.status ?? refusal.status;
  const errors = Object.entries(error.fields ?? {}).flatMap(([field, details]) =>
    details.map((detail) => ({ field, detail })),
  );
  const [first] = errors;
  const own = first === undefined ? error.message : `The ${first.field} ${first.detail}.`;
  const detail = said.detail ?? own;
  const problem = problemDetails(
    { status, detail, code: status === 404 ? 'not_found' : said.code },
    requestId,
  );
  return {
    ...refusal,
    status,
    body: first === undefined ? problem : { ...problem, errors },
    headers: { ...refusal.headers, 'Content-Type': PROBLEM_TYPE },
  };
}
