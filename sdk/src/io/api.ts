import { isApiCode, PlacardError } from '../domain/errors.js';
import { momentOf, type Moment } from '../domain/time.js';
import type { Platform } from './platform.js';

/** An answer that is not an error. */
export interface Reply<T> {
  readonly body: T;
  /** When the call was sent. */
  readonly sentAt: Moment;
  /** The server's time, epoch milliseconds; null when the answer does not show it. */
  readonly serverMs: number | null;
}

/** A finished call, for logs and inspectors. Tokens are in `request` and `answer`: do not store them. */
export interface CallRecord {
  readonly path: string;
  readonly request: unknown;
  /** Null when no answer arrived. */
  readonly status: number | null;
  readonly answer: unknown;
  readonly sentAt: Moment;
  /** The server's time, epoch milliseconds; null when no answer shows it. */
  readonly serverMs: number | null;
  readonly tookMs: number;
}

/** A call of the API. */
export interface Call {
  readonly path: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  /** A member that every good answer has. */
  readonly sign: string;
}

/** Options of {@link Api}. */
export interface ApiOptions {
  /** With the version segment, such as `https://ads.example.com/v1`. */
  readonly baseUrl: string;
  readonly platform: Platform;
  readonly onCall: ((call: CallRecord) => void) | undefined;
}

const BASE_URL = /^https?:\/\/[^\s?#]+\/v1\/*$/;

/** The API over HTTP. Errors are {@link PlacardError}s; a final rejection of an event is an answer. */
export class Api {
  readonly #options: ApiOptions;

  /** Throws `validation_failed` for a base URL that is none of the API. */
  constructor(options: ApiOptions) {
    if (!BASE_URL.test(options.baseUrl)) {
      throw new PlacardError(
        'validation_failed',
        `baseUrl is ${options.baseUrl}; write a URL that ends in /v1, such as https://ads.example.com/v1.`,
      );
    }
    this.#options = { ...options, baseUrl: options.baseUrl.replace(/\/+$/, '') };
  }

  /**
   * Posts a body and returns the answer. `timeoutMs` counts from the call to the last byte. An answer that lacks the member
   * `sign` is not one of Placard: a network with a log-in page may answer in its place.
   */
  async post<T>({ path, request, timeoutMs, sign }: Call): Promise<Reply<T>> {
    const { platform, baseUrl, onCall } = this.#options;
    const sentAt = momentOf(platform.clock);
    const stop = new AbortController();
    const cancel = platform.after(timeoutMs, () => stop.abort());
    let [status, answer, serverMs]: [number | null, unknown, number | null] = [null, null, null];
    try {
      const response = await platform.fetch(`${baseUrl}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
        signal: stop.signal,
        // An event that is sent while the page closes still arrives.
        keepalive: true,
        credentials: 'omit',
      });
      status = response.status;
      serverMs = serverTimeOf(response);
      answer = await response.json();
      return { body: judge(response, answer, sign) as T, sentAt, serverMs };
    } catch (error) {
      throw toPlacardError(error, status, stop.signal.aborted);
    } finally {
      cancel();
      const tookMs = platform.clock.steadyMs() - sentAt.steadyMs;
      onCall?.({ path, request, status, answer, sentAt, serverMs, tookMs });
    }
  }
}

function judge(response: Response, answer: unknown, sign: string): unknown {
  const {
    error,
    status,
    [sign]: signed,
  } = (answer ?? {}) as {
    readonly [name: string]: unknown;
    readonly error?: {
      readonly code?: unknown;
      readonly message?: unknown;
      readonly fields?: PlacardError['fields'];
    };
    readonly status?: unknown;
  };
  if ((response.ok && signed !== undefined) || status === 'rejected') return answer;
  const code = isApiCode(error?.code) ? error.code : fallbackCode(response.status);
  throw new PlacardError(
    code,
    `${typeof error?.message === 'string' ? error.message : 'The answer has no reason.'} (status ${response.status})`,
    retryAfterOf(response),
    error?.fields ?? null,
  );
}

/** A proxy in between may answer without a code. */
function fallbackCode(status: number): 'server_error' | 'rate_limited' | 'timeout' | 'bad_answer' {
  if (status >= 500) return 'server_error';
  if (status === 429) return 'rate_limited';
  return status === 408 ? 'timeout' : 'bad_answer';
}

function retryAfterOf(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
}

function serverTimeOf(response: Response): number | null {
  const at = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(at) ? null : at;
}

function toPlacardError(error: unknown, status: number | null, isLate: boolean): PlacardError {
  if (error instanceof PlacardError) return error;
  if (isLate) return new PlacardError('timeout', 'No answer arrived in time.');
  if (status !== null) return new PlacardError('bad_answer', `The answer is not JSON (status ${status}).`);
  return new PlacardError('network', 'No answer arrived. Check the connection and the base URL.');
}
