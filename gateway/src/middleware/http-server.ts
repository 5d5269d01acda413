import { closeHttpServer, listen, type Scope } from '@placard/service-kit';
import { createServer, type RequestListener } from 'node:http';
import { wrongMethod } from '../domain/answer.js';
import { answerBrokenHttp, writeAndEnd } from './broken-http.js';

/** Longer than usual balancers keep idle connections (60 to 75 s), so that they, not we, close first. */
export const KEEP_ALIVE_MS = 95_000;
/** Longest that the headers, and the whole of a request, may take to arrive, in milliseconds. */
export const HEADERS_MS_MAX = 100_000;
export const REQUEST_MS_MAX = 120_000;
/** Longest that running requests may take when the process stops, in milliseconds. */
export const FINISH_MS_MAX = 6_000;

/** Listens; what is no proper HTTP gets the JSON envelope too. Closing finishes what runs and drops what idles. */
export async function openHttpServer(
  scope: Scope,
  listener: RequestListener,
  options: { readonly host: string; readonly port: number },
): Promise<{ readonly port: number }> {
  const server = createServer({ requireHostHeader: false, noDelay: true }, listener);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = HEADERS_MS_MAX;
  server.requestTimeout = REQUEST_MS_MAX;
  // An expectation that nobody knows is ignored instead of answered by Node.js without an envelope.
  server.on('checkExpectation', listener);
  server.on('clientError', answerBrokenHttp(listener));
  server.on('connect', (_, socket) => writeAndEnd(socket, wrongMethod(['POST'])));
  const port = await listen(server, options);
  scope.onClose('http server', () => closeHttpServer(server, FINISH_MS_MAX));
  return { port };
}
