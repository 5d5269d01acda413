import { runProcess } from '@placard/service-kit';
import { openGateway } from './app.js';
import { readGatewayConfig } from './config.js';

await runProcess('gateway', import.meta.url, async (scope) => {
  await openGateway(scope, readGatewayConfig(process.env));
});
