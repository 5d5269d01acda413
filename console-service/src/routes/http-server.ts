import { closeHttpServer, listen, type Scope } from '@placard/service-kit';
import { certificatesOf } from '@placard/service-kit/grpc';
import type { Express } from 'express';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';

/** Longer than the gateway's agent keeps an idle connection, so that no request arrives at a closing connection. */
const KEEP_ALIVE_MS = 65_000;

/** Longest that running answers may take when the process stops, in milliseconds. */
const FINISH_MS_MAX = 6_000;

/** Where and how to listen; port 0: any free port. */
export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  /** Longest time in which a whole request arrives, in milliseconds. */
  readonly requestMsMax?: number;
  /** Uses TLS when the process has certificates. */
  readonly hasTls?: boolean;
}

/** Listens for HTTP until the scope closes. During the stop each answer closes its connection. */
export async function openHttpServer(
  scope: Scope,
  app: Express,
  options: HttpServerOptions,
): Promise<{ readonly port: number }> {
  const answer: RequestListener = (request, response) => {
    if (scope.stopping.aborted) response.setHeader('Connection', 'close');
    app(request, response);
  };
  const server = (options.hasTls === true ? makeSecureServer(scope, answer) : null) ?? createServer(answer);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  if (options.requestMsMax !== undefined) server.requestTimeout = options.requestMsMax;
  const port = await listen(server, options);
  scope.onClose('http server', () => closeHttpServer(server, FINISH_MS_MAX));
  return { port };
}

/** A server whose new connections use the certificates as they were last read. Null: the process runs without TLS. */
function makeSecureServer(scope: Scope, answer: RequestListener): Server | null {
  const certificates = certificatesOf(scope);
  if (certificates === null) return null;
  const server = createSecureServer({}, answer);
  certificates.addIdentityCertificateListener((content) => {
    if (content !== null) server.setSecureContext({ cert: content.certificate, key: content.privateKey });
  });
  return server;
}
