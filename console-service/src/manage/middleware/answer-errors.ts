import { makeSampledLog, messageOf, toAppError, type Scope } from '@placard/service-kit';
import type { ErrorRequestHandler } from 'express';
import { statusOf } from '../domain/problem.js';
import { requestIdOf } from './request-id.js';
import { sendProblem } from './send.js';

/**
 * Converts every error to a problem. A fault of the product is logged, without body, key or address: an unreachable peer as a
 * warning, an unexpected fault as an error.
 */
export function answerErrors(scope: Scope): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  return (thrown: unknown, _, res, _next) => {
    const error = toAppError(thrown);
    const status = statusOf(error.code);
    if (status >= 500) {
      const { operation = 'unknown' } = res.locals as { operation?: string };
      const line = { operation, requestId: requestIdOf(res), code: error.code, reason: error.publicText };
      const log = scope.once(makeSampledLog);
      if (status === 500) log.error({ ...line, cause: messageOf(error.cause) }, 'a management call failed');
      else log.warn(line, 'a management call failed');
    }
    const { code, publicText: detail, retryAfterSeconds } = error;
    sendProblem(res, { status, code, detail, retryAfterSeconds });
  };
}
