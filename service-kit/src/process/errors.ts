/** The contract's error codes. Contract: docs/contract/sdk-api.md#errors; the set is closed. */
export const PUBLIC_ERROR_CODES = [
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

/** Codes that only services and operators see; the gateway answers `server_error` for them. */
export const INTERNAL_ERROR_CODES = [
  'invalid_argument',
  'not_found',
  'conflict',
  'failed_precondition',
  'unauthenticated',
  'permission_denied',
  'unavailable',
  'deadline_exceeded',
  'overloaded',
  'cancelled',
] as const;

/** A code that a client of the SDK API may see. */
export type PublicErrorCode = (typeof PUBLIC_ERROR_CODES)[number];
/** Every code that an {@link AppError} may carry. */
export type ErrorCode = PublicErrorCode | (typeof INTERNAL_ERROR_CODES)[number];

const ALL_CODES: ReadonlySet<string> = new Set<string>([...PUBLIC_ERROR_CODES, ...INTERNAL_ERROR_CODES]);

/** Whether a text is one of the error codes. */
export function isErrorCode(text: string): text is ErrorCode {
  return ALL_CODES.has(text);
}

/** Field name → messages; only with `validation_failed`. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** Optional parts of an error. */
export interface AppErrorOptions {
  /** Private: for logs, never for the wire. */
  readonly cause?: unknown;
  readonly fields?: FieldErrors | undefined;
  /** Whole seconds, at least 1; only with `rate_limited`. */
  readonly retryAfterSeconds?: number | undefined;
}

/**
 * The one error type. Its code and public text cross the wire between services; its cause stays in the process that
 * made it. Contract: docs/contract/sdk-api.md#error-envelope.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly publicText: string;
  readonly fields: FieldErrors | null;
  readonly retryAfterSeconds: number | null;

  constructor(code: ErrorCode, publicText: string, options: AppErrorOptions = {}) {
    super(`${code}: ${publicText}`, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.publicText = publicText;
    this.fields = options.fields ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/** Makes an {@link AppError}. */
export function appError(code: ErrorCode, publicText: string, options: AppErrorOptions = {}): AppError {
  return new AppError(code, publicText, options);
}

/**
 * Converts anything thrown into an {@link AppError}; unknown errors become `server_error`. No other function does this.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError('server_error', 'Something went wrong on our side. Try again later.', {
    cause: thrown,
  });
}

/** The message of anything thrown, for logs. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
