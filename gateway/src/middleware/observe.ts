import type { Scope, Tracing } from '@placard/service-kit';
import type { RequestHandler, Response } from 'express';
import { Histogram } from 'prom-client';

const DURATION_BUCKETS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5];

/** Status of a request whose client disconnected before the answer. */
const CLIENT_GONE = 499;

/** Probes and pages are not traced. */
const API = '/v1/';

/**
 * Measures every request by route and outcome, and lets connections end while the process stops. Routes set
 * `res.locals.route`. Labels come from closed lists.
 */
export function observe(scope: Scope): RequestHandler {
  const durations = new Histogram({
    name: 'placard_http_request_seconds',
    help: 'Duration of HTTP requests, by route, status and outcome',
    labelNames: ['route', 'status', 'outcome'] as const,
    buckets: DURATION_BUCKETS,
    registers: [scope.metrics],
  });
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
      durations.observe(labels, (performance.now() - startedAt) / 1_000);
    });
    if (scope.tracing === null || !req.path.startsWith(API)) next();
    else void traced(scope.tracing, req.method, res, next);
  };
}

/** Every request begins a new trace. Trace headers of clients are ignored. */
function traced(tracing: Tracing, method: string, res: Response, next: () => void): Promise<void> {
  const attributes = { 'http.request.method': method };
  return tracing.begin(method, { kind: 'server', attributes }, async (step) => {
    const closed = new Promise((resolve) => res.once('close', resolve));
    next();
    await closed;
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
