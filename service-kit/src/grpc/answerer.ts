import { appError, toAppError, type AppError } from '../process/errors.js';
import type { Scope } from '../process/scope.js';
import { MEANINGFUL_WORK_MS_MIN, type CallContext } from './call-context.js';
import type { Observe } from '../process/durations.js';

/** The handler of a unary method: a response, or a promise of one. */
export type UnaryHandler = (request: unknown, call: CallContext) => unknown;

/** The answer to a call. */
export type Answer = { readonly error: null; readonly response: unknown } | { readonly error: AppError };

/**
 * Answers a call, whether it came alone or in a frame. `done` is called once, perhaps before this returns, and must not
 * throw.
 */
export type Answerer = (request: unknown, call: CallContext, done: (answer: Answer) => void) => void;

/**
 * Wraps a handler with the work that every call needs: it refuses calls that come too late, records the duration, and
 * logs errors. A handler that answers synchronously causes no wait.
 */
export function makeAnswerer(scope: Scope, name: string, handler: UnaryHandler, observe: Observe): Answerer {
  return (request, call, done) => {
    const startedAt = performance.now();
    const succeed = (response: unknown): void => {
      observe('ok', performance.now() - startedAt);
      done({ error: null, response });
    };
    const fail = (thrown: unknown): void => {
      const error = toAppError(thrown);
      observe(error.code, performance.now() - startedAt);
      // Wrong input does not concern operators. An unexpected error does, with its cause.
      if (error.code === 'server_error')
        scope.log.error(
          { method: name, requestId: call.requestId, err: error.cause ?? error },
          'call failed',
        );
      done({ error });
    };
    let response: unknown;
    try {
      if (call.deadlineAt - Date.now() < MEANINGFUL_WORK_MS_MIN) {
        throw appError('deadline_exceeded', 'Too little time was left to begin.');
      }
      response = handler(request, call);
    } catch (thrown) {
      fail(thrown);
      return;
    }
    if (response instanceof Promise) response.then(succeed, fail);
    else succeed(response);
  };
}
