import { createRequire } from 'node:module';

/** The release of which this code is, as `X.Y.Z`. */
export const RELEASE = (createRequire(import.meta.url)('../../package.json') as { readonly version: string })
  .version;
