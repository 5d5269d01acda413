import { isAnswerTo, isRejection } from '../domain/answers.js';
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
}

/** Options of {@link Api}. */
export interface ApiOptions {
  /** With the version segment, such as `https://ads.example.com/v1`. */
  readonly baseUrl: string;
  readonly platform: Platform;
  /** Must not throw. */
  readonly onCall: (call: CallRecord) => void;
}

/** A server in between may name a far date, or the phone's clock may be wrong. */
const WAIT_MS_MAX = 3_600_000;
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
   * Posts a body and returns the answer. `timeoutMs` counts from the call to the last byte. An answer that is not one of
   * Placard is the error `bad_answer`.
   */
  async post<T>({ path, request, timeoutMs }: Call): Promise<Reply<T>> {
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
      return { body: judge(path, response, answer, serverMs ?? sentAt.wallMs) as T, sentAt, serverMs };
    } catch (error) {
      throw toPlacardError(error, status, stop.signal.aborted);
    } finally {
      cancel();
      const tookMs = platform.clock.steadyMs() - sentAt.steadyMs;
      onCall({ path, request, status, answer, sentAt, serverMs, tookMs });
    }
  }
}

function judge(path: string, response: Response, answer: unknown, nowMs: number): unknown {
  if ((response.ok && isAnswerTo(path, answer)) || isRejection(path, answer)) return answer;
  const { error } = Object(answer) as {
    readonly error?: {
      readonly code?: unknown;
      readonly message?: unknown;
      readonly fields?: PlacardError['fields'];
    };
  };
  const code = isApiCode(error?.code) ? error.code : fallbackCode(response.status);
  throw new PlacardError(
    code,
    `${typeof error?.message === 'string' ? error.message : 'The answer has no reason.'} (status ${response.status})`,
    retryAfterOf(response, nowMs),
    error?.fields ?? null,
  );
}

/** A proxy in between may answer without a code. */
function fallbackCode(status: number): 'server_error' | 'rate_limited' | 'timeout' | 'bad_answer' {
  if (status >= 500) return 'server_error';
  if (status === 429) return 'rate_limited';
  return status === 408 ? 'timeout' : 'bad_answer';
}

/** Seconds, or a date by the server's clock. */
function retryAfterOf(response: Response, nowMs: number): number | null {
  const text = response.headers.get('retry-after');
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? null : Math.min(WAIT_MS_MAX, Math.max(0, ms));
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
