import { runProcess } from '@placard/service-kit';
import { readWorkerConfig } from './config.js';
import { openSettlement } from './settlement-app.js';

await runProcess(
  'settlement-worker',
  import.meta.url,
  async (scope) => {
    await openSettlement(scope, readWorkerConfig(process.env));
  },
  { hasRpc: false },
);
