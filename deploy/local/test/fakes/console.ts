// A stand-in for console-service. It accepts any catalog without the word `faulty`.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { ConsoleServiceService } from '@placard/protos/console/v1/console.js';
import type { ApplyCatalogRequest, ApplyCatalogResponse } from '@placard/protos/console/v1/console.js';
import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';

const APP =
  'publishers: [{ approved: true, apps: [{ approved: true, app_key: app_fake, package_name: com.fake }] }]';

for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const)
  process.on(signal, () => {
    note({ left: 'console-service' });
    process.exit(0);
  });

/** Records an event for a test. */
function note(what: object): void {
  const file = process.env['FAKE_NOTES'] ?? '';
  if (file !== '') appendFileSync(file, `${JSON.stringify(what)}\n`);
}

const server = new Server();
server.addService(ConsoleServiceService, {
  applyCatalog(
    call: ServerUnaryCall<ApplyCatalogRequest, ApplyCatalogResponse>,
    done: sendUnaryData<ApplyCatalogResponse>,
  ) {
    const faults = call.request.file.includes('faulty')
      ? ['apps[0].name: is missing', 'apps[1].id: is twice']
      : [];
    note({ applied: call.request.file, onlyIfEmpty: call.request.onlyIfEmpty });
    done(null, { faults, changes: [], notes: [], version: 1n });
  },
  exportCatalog: (_call: unknown, done: sendUnaryData<unknown>) => done(null, { file: APP }),
});
server.bindAsync(`127.0.0.1:${process.env['GRPC_PORT'] ?? ''}`, ServerCredentials.createInsecure(), () => {
  createServer((_, response) => response.end('ok')).listen(Number(process.env['METRICS_PORT']), '127.0.0.1');
});
