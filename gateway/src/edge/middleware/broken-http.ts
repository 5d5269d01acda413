import type { RequestId } from '@placard/service-kit/pure';
import type { Response } from 'express';
import { IncomingMessage, ServerResponse, STATUS_CODES, type RequestListener } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { brokenHttp, invalidRequest, type Answer } from '../../domain/answer.js';
import { endConnection, endConnectionAfter } from '../../middleware/connection-end.js';
import { REQUEST_ID_HEADER } from '../../middleware/request-id.js';
import { CACHE_CONTROL, sendAnswer } from '../../middleware/send-answer.js';

/** An error of a connection. An error of the parser carries the bytes that caused it. */
interface ClientError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

const BROKEN_HTTP: Readonly<Record<string, Answer>> = {
  HPE_HEADER_OVERFLOW: invalidRequest({ headers: ['are too large'] }, 431),
  ERR_HTTP_REQUEST_TIMEOUT: invalidRequest({ body: ['did not arrive in time'] }, 408),
};
/** A request line, with a method that the parser may not support. */
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ (\S+) HTTP\/1\.[01]\r?\n/;

/**
 * Answers requests that the parser of Node.js refuses, and ends the connection. An unknown method gets the listener's
 * answer to a wrong method, all others get the error envelope. `lastOf` gives the latest request of a connection,
 * `makeId` the id of a request that never reaches the listener.
 * Contract: docs/contract/requests.md#every-answer, docs/contract/requests.md#unknown-path-and-wrong-method.
 */
export function answerBrokenHttp(
  listener: RequestListener,
  lastOf: (socket: Duplex) => IncomingMessage | undefined,
  makeId: () => RequestId,
): (error: ClientError, socket: Duplex) => void {
  const refused = new WeakSet<Duplex>();
  return (error, socket) => {
    // Bytes after the last answer are discarded. Closing at once could lose the answer on its way to the client.
    if (refused.has(socket) && error.code !== 'ECONNRESET') return;
    refused.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const running = '_httpMessage' in socket ? (socket._httpMessage as Response | null) : null;
    const answer = BROKEN_HTTP[error.code ?? ''] ?? brokenHttp();
    if (running !== null) endRunning(running, answer, socket);
    // The fault is in the body of a request that was answered before its body arrived. A request gets one answer.
    else if (lastOf(socket)?.complete === false) endConnection(socket);
    else if (error.code !== 'HPE_INVALID_METHOD' || !passToListener(listener, error, socket)) {
      writeAndEnd(socket, answer, makeId());
    }
  };
}

/**
 * Ends a request that has reached the listener. A request that arrived whole keeps its own answer, because the fault
 * comes after it. A request whose body is broken gets this answer, unless another has begun.
 */
function endRunning(response: Response, answer: Answer, socket: Duplex): void {
  if (response.headersSent) {
    if (response.writableFinished) endConnection(socket);
    else response.once('finish', () => endConnection(socket));
    return;
  }
  endConnectionAfter(response);
  if (!response.req.complete) sendAnswer(response, answer);
}

/** Passes a request with an unknown method to the listener. False: the bytes do not begin with a request line. */
function passToListener(listener: RequestListener, { rawPacket }: ClientError, socket: Duplex): boolean {
  const [, url] = REQUEST_LINE.exec(rawPacket?.toString('latin1') ?? '') ?? [];
  if (url === undefined || !(socket instanceof Socket)) return false;
  // Not the original name: Express would accept `post` as POST.
  const request = Object.assign(new IncomingMessage(socket), { method: 'UNKNOWN', url, httpVersion: '1.1' });
  // Headers and body are not read, because only POST needs them.
  request.push(null);
  const response = new ServerResponse(request);
  response.setHeader('Connection', 'close');
  response.assignSocket(socket);
  response.once('finish', () => endConnection(socket));
  listener(request, response);
  return true;
}

/** Writes an answer to a connection without a request, and ends the connection. */
export function writeAndEnd(
  socket: Duplex,
  { status, body, headers = {} }: Answer,
  requestId: RequestId,
): void {
  const json = JSON.stringify(body);
  const lines = Object.entries({
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': CACHE_CONTROL,
    [REQUEST_ID_HEADER]: requestId,
    'Content-Length': String(Buffer.byteLength(json)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  endConnection(
    socket,
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${json}`,
  );
}
