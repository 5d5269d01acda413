import { runProcess } from '@placard/service-kit';
import { readWorkerConfig } from './config.js';
import { openSettlement } from './settlement-app.js';

await runProcess('settlement-worker', async (scope) => {
  await openSettlement(scope, readWorkerConfig(process.env));
});
