// `dist/main.js` with stand-ins for the services. Everything else is real.
import path from 'node:path';
import { builtLayout, rootDir, type Layout } from '../../src/layout.js';
import { runPlacard, type RunOptions } from '../../src/run.js';

const fakes = path.join(rootDir, 'deploy', 'local', 'test', 'fakes');
const fromSource = ['--import', 'tsx', '--conditions=source'];
const layout: Layout = {
  ...builtLayout,
  entryArgs: (service, entry) =>
    service === 'console-service'
      ? [...fromSource, path.join(fakes, 'console.ts')]
      : [path.join(fakes, 'service.mjs'), service, entry],
  migrationArgs: () => ['-e', '0'],
  settingsArgs: [path.join(fakes, 'settings.mjs')],
  watchdogArgs: [...fromSource, path.join(rootDir, 'deploy', 'local', 'src', 'process', 'watchdog.ts')],
};
process.exit(await runPlacard(JSON.parse(process.argv[2] ?? '{}') as RunOptions, layout));
