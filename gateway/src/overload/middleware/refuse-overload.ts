import { openDoors, type Kind, type Scope } from '@placard/service-kit';
import { makeRequestId, type RequestId } from '@placard/service-kit/pure';
import type { RequestListener, ServerResponse } from 'node:http';
import { overloaded } from '../../domain/answer.js';
import type { HttpLimits } from '../../edge/domain/http-limits.js';
import type { AllowOrigins } from '../../edge/middleware/allow-origins.js';
import { isManagePath, PROBLEM_TYPE, toProblem } from '../../domain/problem.js';
import { httpDurations } from '../../middleware/observe.js';
import { REQUEST_ID_HEADER } from '../../middleware/request-id.js';
import { CACHE_CONTROL, JSON_TYPE } from '../../middleware/send-answer.js';
import { overloadRetrySeconds } from '../domain/retry-after.js';
import { watchArrivals } from './watch-arrivals.js';

/** These show whether the process works, in an overload above all. */
const NEVER_REFUSED: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** What {@link refuseOverload} needs. */
export interface OverloadOptions {
  /** The kinds of the paths of the SDK API. All other paths are as unimportant as reports. */
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly limits: Pick<HttpLimits, 'waitedMs'>;
  /** Lets web pages read refusals of the SDK API. Null: no page may call it. */
  readonly allowOrigins: AllowOrigins | null;
}

/**
 * Refuses requests of a kind that has too much to do, before anything else is done for them. It comes before Express,
 * which costs several times as much as a refusal.
 */
export function refuseOverload(
  scope: Scope,
  { kinds, limits, allowOrigins }: OverloadOptions,
  handler: RequestListener,
): RequestListener {
  const doors = scope.once(openDoors);
  const durations = scope.once(httpDurations);
  const waitedMs = scope.once(watchArrivals);
  return (req, res) => {
    const path = pathOf(req.url ?? '');
    const kind = kinds.get(path) ?? 'reports';
    const isRefused = doors.of(kind).isClosed() || waitedMs() > limits.waitedMs[kind];
    if (!isRefused || NEVER_REFUSED.has(path)) {
      handler(req, res);
      return;
    }
    const answer = (): void => {
      doors.refuse(kind);
      refuse(res, {
        requestId: makeRequestId(scope.clock.now(), scope.random),
        retrySeconds: overloadRetrySeconds(scope.random),
        isLast: scope.stopping.aborted,
        isManage: isManagePath(path),
      });
      const route = kinds.has(path) ? path : 'unknown';
      durations.observe({ route, status: String(res.statusCode), outcome: 'overloaded' }, 0);
    };
    // It answers a preflight itself, which costs as little as a refusal.
    if (allowOrigins !== null && kinds.has(path)) allowOrigins(req, res, answer);
    else answer();
  };
}

interface Overloaded {
  readonly requestId: RequestId;
  readonly retrySeconds: number;
  /** Whether the connection ends. */
  readonly isLast: boolean;
  /** Whether it is for a client of the management API. */
  readonly isManage: boolean;
}

/** Writes the whole answer at once, because refusals are many. */
function refuse(res: ServerResponse, { requestId, retrySeconds, isLast, isManage }: Overloaded): void {
  const answer = overloaded(retrySeconds);
  const { status, body } = isManage ? toProblem(answer, requestId) : answer;
  const json = JSON.stringify(body);
  const headers = [
    ...['Content-Type', isManage ? PROBLEM_TYPE : JSON_TYPE],
    ...['Cache-Control', CACHE_CONTROL],
    ...['X-Content-Type-Options', 'nosniff'],
    ...[REQUEST_ID_HEADER, requestId],
    ...['Retry-After', String(retrySeconds)],
    ...['Content-Length', String(Buffer.byteLength(json))],
    ...(isLast ? ['Connection', 'close'] : []),
  ];
  res.writeHead(status, headers);
  res.end(json);
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}
