import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { collectDefaultMetrics, Gauge } from 'prom-client';
import { messageOf } from '../process/errors.js';
import { listen } from './listen.js';
import type { Scope } from '../process/scope.js';

/**
 * Serves `/metrics` (Prometheus), `/healthz` (alive) and `/readyz` (ready, by component; 503 when not) on a separate
 * port of the process. Also collects the metrics of Node.js, such as the lag of the event loop.
 */
export async function openMetricsServer(
  scope: Scope,
  options: { readonly host: string; readonly port: number },
): Promise<{ readonly port: number }> {
  collectDefaultMetrics({ register: scope.metrics });
  showComponents(scope);
  const server = createServer((request, response) => {
    answer(scope, request, response).catch((error: unknown) => {
      // A gauge that cannot be read must not end the process.
      scope.log.warn({ reason: messageOf(error) }, 'metrics cannot be read');
      response.writeHead(500, { 'Content-Type': 'application/json' }).end('{"status":"failed"}');
    });
  });
  const port = await listen(server, options);
  scope.onClose('metrics server', () => {
    server.closeAllConnections();
    server.close();
  });
  return { port };
}

function showComponents({ health, metrics }: Scope): void {
  new Gauge({
    name: 'placard_component_up',
    help: 'State of each component of the process as /readyz shows it: 1 is well, 0 is not',
    labelNames: ['component'] as const,
    registers: [metrics],
    collect() {
      for (const [component, { ok }] of Object.entries(health.components()))
        this.set({ component }, ok ? 1 : 0);
    },
  });
}

/**
 * The answers to `/healthz` and `/readyz`, on every port that serves them. The details contain addresses of stores and
 * peers, so only the process's own port shows them.
 */
export function healthAnswer(
  scope: Scope,
  path: '/healthz' | '/readyz',
  options: { readonly withReasons: boolean },
): { status: number; body: unknown } {
  if (path === '/healthz') return { status: 200, body: { status: 'alive', name: scope.name } };
  const isReady = scope.health.isReady();
  const all = Object.entries(scope.health.components());
  const components = options.withReasons ? all : all.map(([name, { ok }]) => [name, { ok }] as const);
  return {
    status: isReady ? 200 : 503,
    body: { status: isReady ? 'ready' : 'not ready', components: Object.fromEntries(components) },
  };
}

async function answer(scope: Scope, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '/').split('?')[0];
  if (path === '/metrics') {
    const text = await scope.metrics.metrics();
    response.writeHead(200, { 'Content-Type': scope.metrics.contentType }).end(text);
    return;
  }
  if (path === '/healthz' || path === '/readyz') {
    const { status, body } = healthAnswer(scope, path, { withReasons: true });
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    return;
  }
  response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"status":"not found"}');
}
