import { Metadata, status, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import { AppError, isErrorCode, toAppError, type ErrorCode, type FieldErrors } from '../process/errors.js';

/** Trailer with the code, public text and fields of an error. The cause stays in its process. */
const TRAILER = 'placard-error-bin';

const STATUS_OF: Readonly<Record<ErrorCode, status>> = {
  invalid_app_key: status.UNAUTHENTICATED,
  invalid_session: status.UNAUTHENTICATED,
  session_expired: status.UNAUTHENTICATED,
  package_mismatch: status.PERMISSION_DENIED,
  app_not_approved: status.PERMISSION_DENIED,
  placement_not_found: status.NOT_FOUND,
  format_mismatch: status.INVALID_ARGUMENT,
  validation_failed: status.INVALID_ARGUMENT,
  rate_limited: status.RESOURCE_EXHAUSTED,
  server_error: status.INTERNAL,
  invalid_argument: status.INVALID_ARGUMENT,
  not_found: status.NOT_FOUND,
  conflict: status.ALREADY_EXISTS,
  failed_precondition: status.FAILED_PRECONDITION,
  unauthenticated: status.UNAUTHENTICATED,
  permission_denied: status.PERMISSION_DENIED,
  unavailable: status.UNAVAILABLE,
  deadline_exceeded: status.DEADLINE_EXCEEDED,
  overloaded: status.RESOURCE_EXHAUSTED,
  cancelled: status.CANCELLED,
};

/** Longest trailer in bytes. Peers refuse much longer headers, and then the code would be lost as well. */
const TRAILER_BYTES_MAX = 4_096;
/** Longest public text when the whole error is too long; each character takes at most 3 bytes. */
const TEXT_CHARS_MAX = 1_000;

interface WireError {
  readonly code: string;
  readonly text: string;
  readonly fields: FieldErrors | null;
  readonly retryAfterSeconds: number | null;
}

/** The failure of a call as it crosses the wire. */
export interface WireStatus {
  /** A gRPC status other than OK. */
  readonly code: status;
  readonly details: string;
  /** The content of the trailer. Null or empty: the peer sent none. */
  readonly trailer: Buffer | null;
}

/** The only place where an error becomes a gRPC status. */
export function toWireStatus(thrown: unknown): WireStatus & { readonly trailer: Buffer } {
  const error = toAppError(thrown);
  const wire: WireError = {
    code: error.code,
    text: error.publicText,
    fields: error.fields,
    retryAfterSeconds: error.retryAfterSeconds,
  };
  return {
    code: STATUS_OF[error.code],
    details: error.publicText.slice(0, TEXT_CHARS_MAX),
    trailer: encode(wire),
  };
}

/** Converts an error to the status object of grpc-js. */
export function toStatus(thrown: unknown): StatusObject {
  const { code, details, trailer } = toWireStatus(thrown);
  const metadata = new Metadata();
  metadata.set(TRAILER, trailer);
  return { code, details, metadata };
}

/** Encodes an error with as many of its first fields as fit. */
function encode(wire: WireError): Buffer {
  const whole = Buffer.from(JSON.stringify(wire));
  if (whole.length <= TRAILER_BYTES_MAX) return whole;
  const text = wire.text.slice(0, TEXT_CHARS_MAX);
  const entries = Object.entries(wire.fields ?? {});
  for (let count = entries.length >> 1; count > 0; count >>= 1) {
    const fields = Object.fromEntries(entries.slice(0, count));
    const shorter = Buffer.from(JSON.stringify({ ...wire, text, fields }));
    if (shorter.length <= TRAILER_BYTES_MAX) return shorter;
  }
  return Buffer.from(JSON.stringify({ ...wire, text, fields: null }));
}

/**
 * The only place where a gRPC status becomes an error: the error of the peer if it sent one, otherwise an error for the
 * status.
 */
export function fromWireStatus(failure: WireStatus, peer: string, cause: unknown): AppError {
  const wire = readTrailer(failure.trailer);
  if (wire !== null && isErrorCode(wire.code)) {
    return new AppError(wire.code, wire.text, {
      cause,
      fields: wire.fields ?? undefined,
      retryAfterSeconds: wire.retryAfterSeconds ?? undefined,
    });
  }
  if (failure.code === status.DEADLINE_EXCEEDED) return lateAnswer(peer, cause);
  if (failure.code === status.UNAVAILABLE || failure.code === status.CANCELLED) {
    return new AppError('unavailable', `${peer} cannot be reached.`, { cause });
  }
  if (failure.code === status.UNIMPLEMENTED) {
    return new AppError('unavailable', `${peer} is of another version and does not know this call.`, {
      cause,
    });
  }
  return new AppError('server_error', `${peer} failed.`, { cause });
}

/** The error of a call whose deadline has passed. */
export function lateAnswer(peer: string, cause?: unknown): AppError {
  return new AppError('deadline_exceeded', `${peer} did not answer in time.`, { cause });
}

/** Converts a failure that grpc-js reports. */
export function fromServiceError(error: ServiceError, peer: string): AppError {
  // A call that failed before it was sent has no trailers, although the type requires them.
  const metadata = error.metadata as Metadata | undefined;
  const [value] = metadata?.get(TRAILER) ?? [];
  const trailer = Buffer.isBuffer(value) ? value : null;
  return fromWireStatus({ code: error.code, details: error.details, trailer }, peer, error);
}

/** Whether the connection failed, and not the peer. Then the outcome of the call is unknown. */
export function isLost(error: ServiceError): boolean {
  // A call that failed before it was sent carries no trailers, whatever the type says.
  const metadata = error.metadata as Metadata | undefined;
  return error.code === status.UNAVAILABLE && (metadata?.get(TRAILER) ?? []).length === 0;
}

function readTrailer(trailer: Buffer | null): WireError | null {
  if (trailer === null || trailer.length === 0) return null;
  try {
    return JSON.parse(trailer.toString('utf8')) as WireError;
  } catch {
    return null;
  }
}
