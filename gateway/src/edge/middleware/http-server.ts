import { closeHttpServer, listen, type Scope } from '@placard/service-kit';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { wrongMethod } from '../../domain/answer.js';
import type { HttpLimits } from '../domain/http-limits.js';
import { answerBrokenHttp, writeAndEnd } from './broken-http.js';
import { isEnding } from '../../middleware/connection-end.js';

/** Longest that running requests may take when the process stops, in milliseconds. */
const FINISH_MS_MAX = 6_000;

/** What a public server is made of. */
export interface HttpServerParts {
  readonly host: string;
  readonly port: number;
  readonly limits: HttpLimits;
  /** False: the connection is closed unanswered. */
  readonly admits: (socket: Socket) => boolean;
}

/** Listens; what is no proper HTTP gets the JSON envelope too. Closing finishes what runs and drops what idles. */
export async function openHttpServer(
  scope: Scope,
  handler: RequestListener,
  { host, port: wantedPort, limits, admits }: HttpServerParts,
): Promise<{ readonly port: number }> {
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
  server.on('connection', (socket) => {
    if (!admits(socket)) socket.destroy();
  });
  // An expectation that nobody knows is ignored instead of answered by Node.js without an envelope.
  server.on('checkExpectation', listener);
  server.on(
    'clientError',
    answerBrokenHttp(handler, (socket) => lastRequests.get(socket)),
  );
  server.on('connect', (_, socket) => writeAndEnd(socket, wrongMethod(['POST'])));
  const port = await listen(server, { host, port: wantedPort });
  scope.onClose('http server', () => closeHttpServer(server, FINISH_MS_MAX));
  return { port };
}
