/** Codes of the API. Contract: docs/contract/sdk-api.md. */
const API_CODES = [
  'invalid_app_key',
  'invalid_session',
  'session_expired',
  'package_mismatch',
  'app_not_approved',
  'placement_not_found',
  'format_mismatch',
  'validation_failed',
  'rate_limited',
  'server_error',
] as const;

/**
 * What went wrong: a code of the API, or one of the SDK's own. `network`: no answer arrived. `timeout`: no answer arrived in
 * time. `bad_answer`: the answer is not one of Placard. `creative_failed`: the file of the ad could not be loaded or drawn.
 * `wrong_state`: the call does not fit the state of the ad, or the client is closed. The SDK also answers `format_mismatch` for
 * an ad of the wrong kind and `validation_failed` for a wrong option or view, before any request.
 */
export type ErrorCode =
  (typeof API_CODES)[number] | 'network' | 'timeout' | 'bad_answer' | 'creative_failed' | 'wrong_state';

const RETRIED: ReadonlySet<ErrorCode> = new Set([
  'network',
  'timeout',
  'bad_answer',
  'rate_limited',
  'server_error',
]);

/** The error of every failed call of the SDK. */
export class PlacardError extends Error {
  override readonly name = 'PlacardError';

  /**
   * `retryAfterMs`: the wait that the server asked for, null when it asked for none. `fields`: faults by field, null except
   * for `validation_failed`.
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly retryAfterMs: number | null = null,
    readonly fields: Readonly<Record<string, readonly string[]>> | null = null,
  ) {
    super(message);
  }

  /** True when the same call may succeed later. */
  get isRetryable(): boolean {
    return RETRIED.has(this.code);
  }
}

/** True for a code of the API. */
export function isApiCode(code: unknown): code is (typeof API_CODES)[number] {
  return (API_CODES as readonly unknown[]).includes(code);
}
