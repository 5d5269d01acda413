/** An HTTP answer in JSON. */
export interface Answer {
  readonly status: number;
  readonly body: object;
  /**
   * The outcome for metrics, from a closed list: `accepted`, `fill`, `no_fill`, `session`, a rejection reason, an error
   * code.
   */
  readonly outcome: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** True: this is the last answer of its connection. */
  readonly isLast?: true;
}

/** Field name → messages. */
export type Fields = Readonly<Record<string, readonly string[]>>;

/** The parts of an error that a client may see. */
export interface PublicError {
  /** The code of an `AppError`, public or internal. */
  readonly code: string;
  readonly message: string;
  readonly fields: Fields | null;
  readonly retryAfterSeconds: number | null;
}

const STATUS_OF: Readonly<Record<string, number>> = {
  invalid_app_key: 401,
  invalid_session: 401,
  session_expired: 401,
  package_mismatch: 403,
  app_not_approved: 403,
  placement_not_found: 404,
  format_mismatch: 422,
  validation_failed: 422,
  rate_limited: 429,
};

/** The status of the answer for an error. Null: the code is not in the contract, and the answer is 500. */
export function statusOf(code: string): number | null {
  return STATUS_OF[code] ?? null;
}

/** Whether an error refuses the caller itself (401 or 403). */
export function isRefusedCaller(code: string): boolean {
  const status = statusOf(code);
  return status === 401 || status === 403;
}

/** The message of every internal error. */
export const SERVER_ERROR_MESSAGE = 'Something went wrong. Please try again later.';
const RETRY_AFTER_DEFAULT_SECONDS = 60;
/** console-service starts anew within seconds. */
const GATEWAY_RETRY_SECONDS = 5;

function envelope(status: number, code: string, message: string, fields: Fields | null = null): Answer {
  return {
    status,
    outcome: code,
    body: { error: fields === null ? { code, message } : { code, message, fields } },
  };
}

/**
 * The answer for an error. No other function converts errors for clients. Codes that are not in the contract become
 * `server_error`. Contract: docs/contract/sdk-api.md#errors.
 */
export function answerOfError(error: PublicError): Answer {
  const status = STATUS_OF[error.code];
  if (status === undefined) return envelope(500, 'server_error', SERVER_ERROR_MESSAGE);
  if (error.code === 'validation_failed') return invalidRequest(error.fields ?? { body: [error.message] });
  if (error.code === 'rate_limited')
    return rateLimited(error.retryAfterSeconds ?? RETRY_AFTER_DEFAULT_SECONDS);
  return envelope(status, error.code, error.message);
}

/**
 * 422, 408 or 413 with the faults by field. Contract: docs/contract/requests.md#unreadable-bodies,
 * docs/contract/requests.md#slow-body, docs/contract/requests.md#body-size.
 */
export function invalidRequest(fields: Fields, status = 422): Answer {
  return envelope(status, 'validation_failed', 'The request is not valid.', fields);
}

/** 400 for malformed HTTP. The connection ends, because the bytes that follow cannot be trusted. */
export function brokenHttp(): Answer {
  return { ...invalidRequest({ request: ['is not valid HTTP'] }, 400), isLast: true };
}

/** 404 for a path that does not exist. Contract: docs/contract/requests.md#unknown-path-and-wrong-method. */
export function unknownPath(): Answer {
  return envelope(404, 'validation_failed', 'There is nothing here.', { path: ['is not known'] });
}

/**
 * 405 for a path with other methods, which `Allow` lists.
 * Contract: docs/contract/requests.md#unknown-path-and-wrong-method.
 */
export function wrongMethod(allowed: readonly string[]): Answer {
  const fields = { method: [`must be ${allowed.join(' or ')}`] };
  return {
    ...envelope(405, 'validation_failed', 'The method is not allowed here.', fields),
    headers: { Allow: allowed.join(', ') },
  };
}

/** 429 with `Retry-After` in whole seconds, 1..60. Contract: docs/contract/rate-limits.md#retry-after. */
export function rateLimited(seconds: number): Answer {
  return {
    ...envelope(429, 'rate_limited', 'Too many requests.'),
    headers: { 'Retry-After': String(seconds) },
  };
}

/**
 * 500 with `Retry-After` in whole seconds, for a request that nothing was done for, because there is too much to do.
 * Contract: docs/contract/failures.md#overload.
 */
export function overloaded(retrySeconds: number): Answer {
  return {
    ...envelope(500, 'server_error', SERVER_ERROR_MESSAGE),
    outcome: 'overloaded',
    headers: { 'Retry-After': String(retrySeconds) },
  };
}

/** 502 with `Retry-After` for a proxied path while console-service is unavailable. */
export function badGateway(): Answer {
  return {
    ...envelope(502, 'server_error', SERVER_ERROR_MESSAGE),
    outcome: 'bad_gateway',
    headers: { 'Retry-After': String(GATEWAY_RETRY_SECONDS) },
  };
}

/** 504 for a proxied path when console-service does not begin its answer in time. */
export function gatewayTimeout(): Answer {
  return { ...envelope(504, 'server_error', SERVER_ERROR_MESSAGE), outcome: 'gateway_timeout' };
}
