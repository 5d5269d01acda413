import { makeSampledLog, messageOf, toAppError, type AppError, type Scope } from '@placard/service-kit';
import type { ErrorRequestHandler } from 'express';
import { answerOfError, overloaded } from '../domain/answer.js';
import { overloadRetrySeconds } from '../overload/domain/retry-after.js';
import { requestFields } from './request-id.js';
import { sendAnswer } from './send-answer.js';

/**
 * Converts every error to an answer. A fault of the product is logged, without body, token or address: an unreachable peer
 * as a warning, an unexpected fault as an error.
 */
export function answerErrors(scope: Scope): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  return (thrown: unknown, _, res, _next) => {
    const error = toAppError(thrown);
    // Nobody waits for the answer.
    if (error.code === 'cancelled') return;
    if (error.code === 'overloaded') {
      sendAnswer(res, overloaded(overloadRetrySeconds(scope.random)));
      return;
    }
    const answer = answerOfError({
      code: error.code,
      message: error.publicText,
      fields: error.fields,
      retryAfterSeconds: error.retryAfterSeconds,
    });
    const { route = 'unknown' } = res.locals as { route?: string };
    if (answer.status >= 500) logFailure(scope, error, { route, ...requestFields(res) });
    sendAnswer(res, answer);
  };
}

function logFailure(
  scope: Scope,
  error: AppError,
  request: { readonly route: string; readonly requestId: string; readonly adRequestId?: string },
): void {
  const log = scope.once(makeSampledLog);
  const line = { ...request, code: error.code, reason: error.publicText };
  if (error.code === 'unavailable' || error.code === 'deadline_exceeded') {
    log.warn(line, 'a request failed');
    return;
  }
  const cause = error.cause;
  const stack = cause instanceof Error && !('metadata' in cause) ? cause.stack : undefined;
  log.error(
    { ...line, cause: cause === undefined ? undefined : messageOf(cause), stack },
    'a request failed',
  );
}
