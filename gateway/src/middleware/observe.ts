import { AD_REQUEST_ID, REQUEST_ID, type Scope, type Tracing } from '@placard/service-kit';
import type { RequestHandler, Response } from 'express';
import { Histogram } from 'prom-client';
import { requestFields, requestIdOf } from './request-id.js';

const DURATION_BUCKETS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5];

/** Status of a request whose client disconnected before the answer. */
const CLIENT_GONE = 499;

/** Probes and pages are not traced. */
const API = '/v1/';

/** The durations of HTTP requests. Use it with `scope.once`. */
export function httpDurations(scope: Scope): Histogram<'route' | 'status' | 'outcome'> {
  return new Histogram({
    name: 'placard_http_request_seconds',
    help: 'Duration of HTTP requests, by route, status and outcome',
    labelNames: ['route', 'status', 'outcome'] as const,
    buckets: DURATION_BUCKETS,
    registers: [scope.metrics],
  });
}

/**
 * Measures every request by route and outcome, and lets connections end while the process stops. Routes set
 * `res.locals.route`. Labels come from closed lists. At the level `debug` the log has a line for each request.
 */
export function observe(scope: Scope): RequestHandler {
  const durations = scope.once(httpDurations);
  const isLogged = scope.log.isLevelEnabled('debug');
  return (req, res, next) => {
    const startedAt = performance.now();
    res.locals['stopping'] = scope.stopping;
    if (scope.stopping.aborted) res.setHeader('Connection', 'close');
    res.once('close', () => {
      const locals = res.locals as { readonly route?: string; readonly outcome?: string };
      const labels = {
        route: locals.route ?? 'unknown',
        status: String(statusOf(res)),
        outcome: res.writableFinished ? (locals.outcome ?? 'other') : 'client_gone',
      };
      const ms = performance.now() - startedAt;
      durations.observe(labels, ms / 1_000);
      if (isLogged) scope.log.debug({ ...requestFields(res), ...labels, ms: Math.round(ms) }, 'answered');
    });
    if (scope.tracing === null || !req.path.startsWith(API)) next();
    else void traced(scope.tracing, req.method, res, next);
  };
}

/** Every request begins a new trace. Trace headers of clients are ignored. */
function traced(tracing: Tracing, method: string, res: Response, next: () => void): Promise<void> {
  const attributes = { 'http.request.method': method, [REQUEST_ID]: requestIdOf(res) };
  return tracing.begin(method, { kind: 'server', attributes }, async (step) => {
    const closed = new Promise((resolve) => res.once('close', resolve));
    next();
    await closed;
    const { adRequestId } = requestFields(res);
    if (adRequestId !== undefined) step.set({ [AD_REQUEST_ID]: adRequestId });
    const { route, outcome } = res.locals as { readonly route?: string; readonly outcome?: string };
    if (route !== undefined) step.rename(`${method} ${route}`);
    step.set({
      'http.route': route ?? 'unknown',
      'http.response.status_code': statusOf(res),
      'placard.outcome': outcome ?? 'other',
    });
  });
}

function statusOf(res: Response): number {
  return res.writableFinished ? res.statusCode : CLIENT_GONE;
}
