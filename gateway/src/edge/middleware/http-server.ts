import { closeHttpServer, listen, type Scope } from '@placard/service-kit';
import { makeRequestId, type RequestId } from '@placard/service-kit/pure';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { wrongMethod } from '../../domain/answer.js';
import type { HttpLimits } from '../domain/http-limits.js';
import { answerBrokenHttp, writeAndEnd } from './broken-http.js';
import { isEnding } from '../../middleware/connection-end.js';

/** Longest time of running requests when the process stops, in milliseconds. */
const FINISH_MS_MAX = 6_000;

/** Settings of the public server. */
export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly limits: HttpLimits;
  /** Called with each new connection before its first request. It may destroy the connection. */
  readonly onConnection: (socket: Socket) => void;
}

/**
 * Opens the public server. Malformed HTTP gets the JSON envelope too. Closing finishes running requests and drops idle
 * connections.
 */
export async function openHttpServer(
  scope: Scope,
  handler: RequestListener,
  { host, port: wantedPort, limits, onConnection }: HttpServerOptions,
): Promise<{ readonly port: number }> {
  const makeId = (): RequestId => makeRequestId(scope.clock.now(), scope.random);
  const lastRequests = new WeakMap<Duplex, IncomingMessage>();
  const listener: RequestListener = (req, res) => {
    if (isEnding(req.socket)) {
      req.resume();
      return;
    }
    lastRequests.set(req.socket, req);
    handler(req, res);
  };
  const server = createServer(
    { requireHostHeader: false, noDelay: true, connectionsCheckingInterval: limits.checkMs },
    listener,
  );
  server.keepAliveTimeout = limits.keepAliveMs;
  server.headersTimeout = limits.headersMs;
  server.requestTimeout = limits.requestMs;
  server.timeout = limits.silenceMs;
  server.on('connection', onConnection);
  // An unknown `Expect` is ignored. Node.js would answer it without the envelope.
  server.on('checkExpectation', listener);
  server.on(
    'clientError',
    answerBrokenHttp(handler, (socket) => lastRequests.get(socket), makeId),
  );
  server.on('connect', (_, socket) => writeAndEnd(socket, wrongMethod(['POST']), makeId()));
  const port = await listen(server, { host, port: wantedPort });
  scope.onClose('http server', () => closeHttpServer(server, FINISH_MS_MAX));
  return { port };
}
