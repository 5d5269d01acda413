import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository; this file is one folder below its package, as source and as built. */
export const rootDir = path.resolve(fileURLToPath(new URL('../..', import.meta.url)));
