import { layoutWith, rootDir } from './layout.js';
import { runPlacard, type RunOptions } from './run.js';

// `start.mjs` has checked the arguments and passes them as one JSON text.
const options = JSON.parse(process.argv[2] ?? '{}') as RunOptions;
process.exit(await runPlacard(options, layoutWith(options.servicesDir ?? rootDir, options.heapsMiB)));
