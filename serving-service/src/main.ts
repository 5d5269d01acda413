import { runProcess } from '@placard/service-kit';
import { openApp } from './app.js';
import { readServingConfig } from './config.js';

await runProcess('serving-service', import.meta.url, async (scope) => {
  await openApp(scope, readServingConfig(process.env));
});
