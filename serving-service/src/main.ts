import { runProcess } from '@placard/service-kit';
import { openApp } from './app.js';
import { readServingConfig } from './config.js';

await runProcess('serving-service', async (scope) => {
  await openApp(scope, readServingConfig(process.env));
});
