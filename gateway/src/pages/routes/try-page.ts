import express, { Router, type RequestHandler } from 'express';
import { createRequire } from 'node:module';
import path from 'node:path';
import { wrongMethod } from '../../domain/answer.js';
import { sendAnswer } from '../../middleware/send-answer.js';
import { READ_METHODS } from './pages.js';

/** The page runs only scripts of this host. The files of ads, which the SDK downloads and draws, may stand anywhere. */
const POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'",
  "img-src 'self' https: http:; media-src 'self' https: http:; connect-src 'self' https: http:",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

/**
 * `/try`: a phone on the client SDK, for people who integrate it. Its scripts are the modules of the SDK as they are, under
 * `/try/sdk/`. It uses nothing of the gateway but the APIs that every client may call.
 */
export function makeTryPage(): Router {
  const manifest = createRequire(import.meta.url).resolve('@placard/sdk/package.json');
  const sdkDir = path.join(path.dirname(manifest), 'dist');
  const router = Router({ caseSensitive: true, strict: true });
  router.use('/try', asPage);
  router
    .route('/try')
    .get((_, res) => res.sendFile(path.join(sdkDir, 'try', 'index.html'), { cacheControl: false }))
    .all((_, res) => sendAnswer(res, wrongMethod(READ_METHODS)));
  router.use('/try/sdk', express.static(sdkDir, { index: false, redirect: false, cacheControl: false }));
  return router;
}

/** Headers of the page and its files. They change with each release, so a browser asks each time whether they have. */
const asPage: RequestHandler = (_, res, next) => {
  res.locals['route'] = '/try';
  res.locals['outcome'] = 'page';
  res.setHeader('Content-Security-Policy', POLICY);
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Cache-Control', 'no-cache');
  next();
};
