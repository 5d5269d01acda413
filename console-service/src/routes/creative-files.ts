import express, { type Express } from 'express';
import { fileURLToPath } from 'node:url';

const ASSETS_DIR = fileURLToPath(new URL('../../assets', import.meta.url));
const MAX_AGE_MS = 86_400_000;

/**
 * Serves the built-in creatives of test ads under `/creatives/test/`, with range requests, so that players can seek.
 * Every other path is 404 in JSON. Contract: docs/contract/selection.md#test-ad.
 */
export function makeCreativeFiles(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use((_request, response, next) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    next();
  });
  app.use(
    '/creatives/test',
    express.static(ASSETS_DIR, {
      index: false,
      redirect: false,
      dotfiles: 'ignore',
      maxAge: MAX_AGE_MS,
      setHeaders: (response) => response.setHeader('Access-Control-Allow-Origin', '*'),
    }),
  );
  app.use((_request, response) => {
    response
      .status(404)
      .set('Cache-Control', 'no-store')
      .json({ error: { message: 'There is nothing here.' } });
  });
  app.use(answerFailure);
  return app;
}

/** Answers an undecodable path or an unreadable file in JSON, without a stack trace. */
const answerFailure: express.ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) {
    next(error);
    return;
  }
  const asked = (error as { status?: unknown }).status;
  const status = typeof asked === 'number' && asked >= 400 && asked < 500 ? asked : 500;
  response
    .status(status)
    .set('Cache-Control', 'no-store')
    .json({ error: { message: 'This cannot be served.' } });
};
