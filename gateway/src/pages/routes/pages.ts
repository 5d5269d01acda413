import { healthAnswer, type Scope } from '@placard/service-kit';
import { Router, type RequestHandler } from 'express';
import type { ApiDescription } from '../../domain/api-description.js';
import { wrongMethod } from '../../domain/answer.js';
import { CACHE_CONTROL, sendAnswer, sendJson } from '../../middleware/send-answer.js';
import { renderDocsPage } from '../domain/docs-page.js';

/** The methods of every page. */
export const READ_METHODS = ['GET', 'HEAD'] as const;
/** The page contains its own style and needs nothing else. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/**
 * Pages to read: the description of the API, its page, and the state of the process. Only the process's own port shows
 * why a component is not ready.
 */
export function makePagesRouter(scope: Scope, description: ApiDescription): Router {
  const openapiJson = JSON.stringify(description);
  const docsHtml = renderDocsPage(description);
  const router = Router({ caseSensitive: true, strict: true });
  const page = (path: string, handler: RequestHandler): void => {
    router
      .route(path)
      .all((_, res, next) => {
        res.locals['route'] = path;
        next();
      })
      .get(handler)
      .all((_, res) => sendAnswer(res, wrongMethod(READ_METHODS)));
  };
  page('/v1/openapi.json', (_, res) => {
    res.locals['outcome'] = 'page';
    sendJson(res, 200, openapiJson);
  });
  page('/docs', (_, res) => {
    res.locals['outcome'] = 'page';
    res.setHeader('Content-Type', 'text/html; charset=utf-8');
    res.setHeader('Content-Security-Policy', PAGE_POLICY);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Cache-Control', CACHE_CONTROL);
    res.end(docsHtml);
  });
  for (const path of ['/healthz', '/readyz'] as const) {
    page(path, (_, res) => {
      const { status, body } = healthAnswer(scope, path, { withReasons: false });
      sendAnswer(res, { status, body: body as object, outcome: status === 200 ? 'ok' : 'not_ready' });
    });
  }
  return router;
}
