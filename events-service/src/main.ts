import { runProcess } from '@placard/service-kit';
import { openApp } from './app.js';
import { readServiceConfig } from './config.js';

await runProcess('events-service', import.meta.url, async (scope) => {
  await openApp(scope, readServiceConfig(process.env));
});
