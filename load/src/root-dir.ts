import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the repository. This file is one folder below its package, as source and built. */
export const rootDir = path.resolve(fileURLToPath(new URL('../..', import.meta.url)));
