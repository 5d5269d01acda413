import express, { type Express } from 'express';
import { makeCreativeFiles } from './creative-files.js';
import { makeKeySet, type KeySetDeps } from './key-set.js';

/** What anyone may read: the public keys of signatures, and the built-in creatives. */
export function makePublicApp(deps: KeySetDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(makeKeySet(deps), makeCreativeFiles());
  return app;
}
