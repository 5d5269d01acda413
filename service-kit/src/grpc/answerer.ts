import type { Histogram } from 'prom-client';
import { appError, toAppError, type AppError } from '../errors.js';
import type { Scope } from '../scope.js';
import { MEANINGFUL_WORK_MS_MIN, type CallContext } from './call-context.js';

/** The handler of a unary method: a response, or a promise of one. */
export type UnaryHandler = (request: unknown, call: CallContext) => unknown;
/** Durations of served calls, by method and outcome. */
export type Durations = Histogram<'method' | 'outcome'>;

/** What a call is answered with. */
export type Answer = { readonly error: null; readonly response: unknown } | { readonly error: AppError };

/** Answers a call, however it came; never rejects. */
export type Answerer = (request: unknown, call: CallContext) => Promise<Answer>;

/** Wraps a handler in what every call gets: the refusal of work that comes too late, a figure, and its error in the log. */
export function makeAnswerer(
  scope: Scope,
  name: string,
  handler: UnaryHandler,
  durations: Durations,
): Answerer {
  return async (request, call) => {
    const startedAt = performance.now();
    const done = (outcome: string): void =>
      durations.observe({ method: name, outcome }, (performance.now() - startedAt) / 1_000);
    try {
      if (call.deadlineAt - Date.now() < MEANINGFUL_WORK_MS_MIN) {
        throw appError('deadline_exceeded', 'Too little time was left to begin.');
      }
      const response = await handler(request, call);
      done('ok');
      return { error: null, response };
    } catch (thrown) {
      const error = toAppError(thrown);
      done(error.code);
      // Wrong input is no news for operators; what is unexpected is, with its cause.
      if (error.code === 'server_error')
        scope.log.error(
          { method: name, requestId: call.requestId, err: error.cause ?? error },
          'call failed',
        );
      return { error };
    }
  };
}
