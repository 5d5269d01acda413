import express, { type Express } from 'express';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ASSETS_DIR = fileURLToPath(new URL('../../assets', import.meta.url));
/** Folders by their names in addresses. One that is called `test` would be left out of images: .dockerignore. */
const FOLDERS = [
  ['test', 'test-ads'],
  ['demo', 'demo'],
] as const;
const MAX_AGE_MS = 86_400_000;

/**
 * Serves the files of test ads under `/creatives/test/` and the demo files under `/creatives/demo/`, with range requests,
 * so that players can seek. Every other path is 404 in JSON. Contract: docs/contract/selection.md#files-of-the-product.
 */
export function makeCreativeFiles(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use((_request, response, next) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    next();
  });
  for (const [name, folder] of FOLDERS) {
    app.use(
      `/creatives/${name}`,
      express.static(path.join(ASSETS_DIR, folder), {
        index: false,
        redirect: false,
        dotfiles: 'ignore',
        maxAge: MAX_AGE_MS,
        setHeaders: (response) => response.setHeader('Access-Control-Allow-Origin', '*'),
      }),
    );
  }
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
