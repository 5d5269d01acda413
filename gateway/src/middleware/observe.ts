import type { Scope } from '@placard/service-kit';
import type { RequestHandler } from 'express';
import { Histogram } from 'prom-client';

const DURATION_BUCKETS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5];

/**
 * Measures every request by route and outcome, and lets connections end while the process stops. Routes say which they
 * are in `res.locals.route`; labels come from closed lists.
 */
export function observe(scope: Scope): RequestHandler {
  const durations = new Histogram({
    name: 'placard_http_request_seconds',
    help: 'Duration of HTTP requests, by route, status and outcome',
    labelNames: ['route', 'status', 'outcome'] as const,
    buckets: DURATION_BUCKETS,
    registers: [scope.metrics],
  });
  return (_, res, next) => {
    const startedAt = performance.now();
    res.locals['stopping'] = scope.stopping;
    if (scope.stopping.aborted) res.setHeader('Connection', 'close');
    res.once('close', () => {
      const locals = res.locals as { readonly route?: string; readonly outcome?: string };
      const labels = {
        route: locals.route ?? 'unknown',
        status: String(res.statusCode),
        outcome: res.writableFinished ? (locals.outcome ?? 'other') : 'client_gone',
      };
      durations.observe(labels, (performance.now() - startedAt) / 1_000);
    });
    next();
  };
}
