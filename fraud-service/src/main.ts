import { runProcess } from '@placard/service-kit';
import { openApp } from './app.js';
import { readFraudConfig } from './config.js';

await runProcess('fraud-service', import.meta.url, async (scope) => {
  await openApp(scope, readFraudConfig(process.env));
});
