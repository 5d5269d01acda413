import { closeHttpServer, listen, type Scope } from '@placard/service-kit';
import type { Express } from 'express';
import { createServer } from 'node:http';

/** Longer than the gateway's agent keeps an idle connection, so that no request arrives at a closing connection. */
const KEEP_ALIVE_MS = 65_000;

/** Longest that running answers may take when the process stops, in milliseconds. */
const FINISH_MS_MAX = 6_000;

/** Listens for HTTP until the scope closes; port 0: any free port. During the stop each answer closes its connection. */
export async function openHttpServer(
  scope: Scope,
  app: Express,
  options: { readonly host: string; readonly port: number },
): Promise<{ readonly port: number }> {
  const server = createServer((request, response) => {
    if (scope.stopping.aborted) response.setHeader('Connection', 'close');
    app(request, response);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const port = await listen(server, options);
  scope.onClose('http server', () => closeHttpServer(server, FINISH_MS_MAX));
  return { port };
}
