import { createRequire } from 'node:module';

/** The release of this code, as `X.Y.Z`. */
export const RELEASE = (createRequire(import.meta.url)('../../package.json') as { readonly version: string })
  .version;
