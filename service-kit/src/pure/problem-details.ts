const TITLES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
} as const;

/** A status that problem details may have. */
export type ProblemStatus = keyof typeof TITLES;

/** Problem details (RFC 9457), with the members in the order in which they are sent. Contract: docs/management-api.md. */
export interface ProblemDetails {
  readonly type: 'about:blank';
  /** Of the status; empty for one that is not a {@link ProblemStatus}. */
  readonly title: string;
  readonly status: number;
  /** One sentence. */
  readonly detail: string;
  /** For programs. */
  readonly code: string;
  readonly request_id: string;
}

/** Makes problem details. */
export function problemDetails(
  { status, detail, code }: Pick<ProblemDetails, 'status' | 'detail' | 'code'>,
  requestId: string,
): ProblemDetails {
  const title = (TITLES as Readonly<Record<number, string>>)[status] ?? '';
  return { type: 'about:blank', title, status, detail, code, request_id: requestId };
}
