import { runProcess } from '@placard/service-kit';
import { openApp } from './app.js';
import { readSessionConfig } from './config.js';

await runProcess('session-service', import.meta.url, async (scope) => {
  await openApp(scope, readSessionConfig(process.env));
});
