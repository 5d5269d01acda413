import type { Scope } from '@placard/service-kit';
import type { Express } from 'express';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Longer than the gateway's agent keeps an idle connection, so that no request meets a closing one. */
const KEEP_ALIVE_MS = 65_000;

/** Listens for HTTP until the scope closes; port 0 lets the system choose. */
export async function openHttpServer(
  scope: Scope,
  app: Express,
  options: { readonly host: string; readonly port: number },
): Promise<{ readonly port: number }> {
  const server = createServer(app);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  scope.onClose(
    'http server',
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  );
  return { port: (server.address() as AddressInfo).port };
}
