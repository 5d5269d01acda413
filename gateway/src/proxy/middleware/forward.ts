import { messageOf, type Scope } from '@placard/service-kit';
import type { Request, Response } from 'express';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { Agent as HttpAgent, ServerResponse, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { pipeline } from 'node:stream';
import { badGateway } from '../../domain/answer.js';
import { endToEnd, hasBody } from '../../edge/domain/http-headers.js';
import type { ProxyLimits } from '../../edge/domain/http-limits.js';
import { sendAnswer } from '../../middleware/send-answer.js';

/** Passes a request on and its answer back; rejects only for faults of this program. */
export type Forward = (req: Request, res: Response) => Promise<void>;

/** Headers that would carry a client's address beyond the gateway. */
const ADDRESS_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'true-client-ip', 'cf-connecting-ip'];

/**
 * Opens the way of requests to one server, over kept connections. Both messages are sent anew: their headers without
 * those of the other connection, their bodies, unread, in a framing of their own, so that neither side can make the
 * other see one message more. The server away: 502 in JSON.
 */
export function openForward(scope: Scope, targetUrl: string, limits: ProxyLimits): Forward {
  const isSecure = targetUrl.startsWith('https:');
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: limits.openMax });
  scope.onClose('console proxy', () => agent.destroy());
  const proxy = createProxyMiddleware({
    target: targetUrl,
    agent,
    proxyTimeout: limits.beginMs,
    selfHandleResponse: true,
    // The ready-made error answers are HTML-like text that names the target; ours follow.
    ejectPlugins: true,
    plugins: [sendRequestAnew, sendAnswerAnew(scope, limits), answerInJson(scope)],
  });
  return (req, res) => proxy(req, res);
}

/** The proxy copies the headers after this event, and would keep or contradict the framing of the client. */
const sendRequestAnew: Plugin = (server) => {
  server.on('start', (req) => {
    // As they came: the proxy has changed the framing of some methods by now.
    const isFollowed = hasBody(req.headersDistinct);
    const headers = endToEnd(req.headers);
    for (const name of [...ADDRESS_HEADERS, 'content-length']) Reflect.deleteProperty(headers, name);
    req.headers = isFollowed ? { ...headers, 'transfer-encoding': 'chunked' } : headers;
  });
  server.on('proxyReq', (request, _, res) => {
    const leave = (): void => void request.destroy();
    res.once('close', leave);
    request.once('response', () => res.off('close', leave));
  });
};

/** The gateway decides whether the client's connection ends, independent of the connection to the server. */
function sendAnswerAnew(scope: Scope, limits: ProxyLimits): Plugin {
  return (server) => {
    server.on('proxyRes', (answer, _, res) => {
      if (res.headersSent || res.destroyed) {
        answer.destroy();
        return;
      }
      if (scope.stopping.aborted) res.setHeader('Connection', 'close');
      res.writeHead(answer.statusCode ?? badGateway().status, endToEnd(answer.headers));
      giveUpSlowReader(answer, res, limits);
      // Either end that breaks off takes the other with it.
      pipeline(answer, res, () => undefined);
    });
  };
}

/** A client that reads too slowly is dropped: it would keep a connection to the server busy. */
function giveUpSlowReader(answer: IncomingMessage, res: ServerResponse, limits: ProxyLimits): void {
  const { socket } = answer;
  // Its silence is the client's from here on.
  socket.setTimeout(0);
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    if (socket.bytesRead - before < limits.progressBytesMin) res.destroy();
    before = socket.bytesRead;
  }, limits.progressMs);
  answer.once('close', () => clearInterval(timer));
}

function answerInJson(scope: Scope): Plugin {
  return (server) => {
    server.on('error', (error, _, res) => {
      if (!(res instanceof ServerResponse)) {
        res.destroy();
        return;
      }
      // A client that broke off is no failure of console-service.
      if (!res.destroyed) scope.log.warn({ reason: messageOf(error) }, 'console-service cannot be reached');
      // It is Express's own answer that the proxy was given.
      sendAnswer(res as Response, badGateway());
    });
  };
}
