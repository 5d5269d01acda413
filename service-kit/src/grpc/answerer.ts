import { appError, toAppError, type AppError } from '../process/errors.js';
import type { Logger } from '../process/logs.js';
import { makeSampledLog } from '../process/sampled-log.js';
import type { Kind } from '../overload/importance.js';
import { doorTime, openDoors, resultOf } from '../overload/doors.js';
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

/** What a method is answered with, besides its handler. */
export interface AnswererOptions {
  readonly observe: Observe;
  /** How important the method is. Null: it is never refused. */
  readonly kind: Kind | null;
}

/**
 * Wraps a handler with the work that every call needs: it refuses calls that come too late, calls beyond the limit of
 * the process, and calls whose caller left while they waited for their turn. It records the duration, and logs unexpected
 * errors, and at the level `debug` each answer. A handler that answers synchronously causes no wait.
 */
export function makeAnswerer(
  scope: Scope,
  name: string,
  handler: UnaryHandler,
  { observe, kind }: AnswererOptions,
): Answerer {
  const doors = scope.once(openDoors);
  const door = kind === null ? null : doors.of(kind);
  const logAnswer = answerLogger(scope.log, name);
  return (request, call, done) => {
    const startedAt = performance.now();
    let beganAt: number | null = null;
    const end = (answer: Answer): void => {
      const ms = performance.now() - startedAt;
      const outcome = answer.error?.code ?? 'ok';
      observe(outcome, ms);
      logAnswer?.(call, outcome, ms);
      done(answer);
      if (beganAt !== null) door?.leave(beganAt, answer.error === null ? 'answered' : resultOf(answer.error));
    };
    const succeed = (response: unknown): void => end({ error: null, response });
    const fail = (thrown: unknown): void => {
      const error = toAppError(thrown);
      // Wrong input does not concern operators. An unexpected error does, with its cause.
      if (error.code === 'server_error')
        scope
          .once(makeSampledLog)
          .error({ method: name, requestId: call.requestId, err: error.cause ?? error }, 'call failed');
      end({ error });
    };
    const begin = (): void => {
      beganAt = doorTime.now();
      let response: unknown;
      try {
        if (call.abandonment?.isAbandoned === true) throw appError('cancelled', 'The caller has left.');
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
    if (door === null || kind === null || door.enter()) begin();
    else door.enterLater((isAdmitted) => (isAdmitted ? begin() : fail(doors.refuse(kind))));
  };
}

/** Null unless the log shows such lines, so that a call costs nothing for them. */
function answerLogger(
  log: Logger,
  method: string,
): ((call: CallContext, outcome: string, ms: number) => void) | null {
  if (!log.isLevelEnabled('debug')) return null;
  return ({ requestId }, outcome, ms) =>
    log.debug({ method, requestId, outcome, ms: Math.round(ms) }, 'call answered');
}
