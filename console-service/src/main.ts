import { runProcess } from '@placard/service-kit';
import { openApp } from './app.js';
import { readConsoleConfig } from './config.js';

await runProcess('console-service', import.meta.url, async (scope) => {
  await openApp(scope, readConsoleConfig(process.env));
});
