import { makeSampledLog, messageOf, type Scope } from '@placard/service-kit';
import { certificatesOf } from '@placard/service-kit/grpc';
import type { Request, Response } from 'express';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { Agent as HttpAgent, ServerResponse, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, type AgentOptions } from 'node:https';
import { pipeline } from 'node:stream';
import { badGateway, gatewayTimeout } from '../../domain/answer.js';
import { endToEnd, hasBody } from '../../edge/domain/http-headers.js';
import type { ProxyLimits } from '../../edge/domain/http-limits.js';
import { REQUEST_ID_HEADER, requestIdOf } from '../../middleware/request-id.js';
import { sendAnswer } from '../../middleware/send-answer.js';

/** Passes a request and its answer on. Rejects only for faults of this program. */
export type Forward = (req: Request, res: Response) => Promise<void>;

/** Time to send the client an answer when console-service did not begin its own, in milliseconds. */
const LATE_ANSWER_MS = 5_000;

/** Headers that would reveal a client's address beyond the gateway. */
const ADDRESS_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'true-client-ip', 'cf-connecting-ip'];

/**
 * Opens a proxy to one server, over kept connections. Both messages are sent as new messages: their headers without
 * hop-by-hop headers, and their bodies, unread, with a new framing. So neither side can make the other see an
 * additional message. While the server is unavailable, the answer is {@link badGateway}; when it does not begin its answer
 * in time, {@link gatewayTimeout}.
 */
export function openForward(scope: Scope, targetUrl: string, limits: ProxyLimits): Forward {
  const options = { keepAlive: true, maxSockets: limits.openMax };
  const agent = targetUrl.startsWith('https:') ? openSecureAgent(scope, options) : new HttpAgent(options);
  scope.onClose('console proxy', () => agent.destroy());
  const proxy = createProxyMiddleware({
    target: targetUrl,
    agent,
    proxyTimeout: limits.beginMs,
    selfHandleResponse: true,
    // The default error answers are HTML-like text with the target. The product's own answers replace them.
    ejectPlugins: true,
    plugins: [sendRequestAnew, sendAnswerAnew(scope, limits), answerInJson(scope)],
  });
  return (req, res) => {
    // The client's connection is silent while console-service works. Node.js sets the usual time again after the answer.
    req.socket.setTimeout(Math.max(req.socket.timeout ?? 0, limits.beginMs + LATE_ANSWER_MS));
    return proxy(req, res);
  };
}

/** With certificates of its own, the gateway requires one of console-service from its authority. */
function openSecureAgent(scope: Scope, options: AgentOptions): HttpsAgent {
  const certificates = certificatesOf(scope);
  if (certificates === null) return new HttpsAgent(options);
  const agent = new HttpsAgent({ ...options, servername: 'console-service' });
  certificates.addCaCertificateListener((content) => {
    if (content !== null) agent.options.ca = content.caCertificate;
  });
  return agent;
}

/** The name as messages of Node.js have it. The id is the gateway's, in both directions. */
const REQUEST_ID_NAME = REQUEST_ID_HEADER.toLowerCase();

/** The proxy copies the headers after this event. It would keep or contradict the framing of the client. */
const sendRequestAnew: Plugin = (server) => {
  server.on('start', (req, res) => {
    // The original headers: the proxy has changed the framing of some methods by now.
    const isFollowed = hasBody(req.headersDistinct);
    const headers = endToEnd(req.headers);
    for (const name of [...ADDRESS_HEADERS, 'content-length']) Reflect.deleteProperty(headers, name);
    headers[REQUEST_ID_NAME] = requestIdOf(res as Response);
    req.headers = isFollowed ? { ...headers, 'transfer-encoding': 'chunked' } : headers;
  });
  server.on('proxyReq', (request, _, res) => {
    const leave = (): void => void request.destroy();
    res.once('close', leave);
    request.once('response', () => res.off('close', leave));
  });
};

/** The gateway decides whether the client's connection ends, independently of the connection to the server. */
function sendAnswerAnew(scope: Scope, limits: ProxyLimits): Plugin {
  return (server) => {
    server.on('proxyRes', (answer, _, res) => {
      if (res.headersSent || res.destroyed) {
        answer.destroy();
        return;
      }
      if (scope.stopping.aborted) res.setHeader('Connection', 'close');
      const headers = endToEnd(answer.headers);
      Reflect.deleteProperty(headers, REQUEST_ID_NAME);
      res.writeHead(answer.statusCode ?? badGateway().status, headers);
      giveUpSlowReader(answer, res, limits);
      // If either side breaks off, the other side ends too.
      pipeline(answer, res, () => undefined);
    });
  };
}

/** Disconnects a client that reads too slowly, because it would keep a connection to the server busy. */
function giveUpSlowReader(answer: IncomingMessage, res: ServerResponse, limits: ProxyLimits): void {
  const { socket } = answer;
  // From here on its silence is caused by the client.
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
    const late = new WeakSet<object>();
    // The proxy breaks off a late request, and its error does not say why.
    server.on('proxyReq', (request, _, res) => void request.once('timeout', () => late.add(res)));
    server.on('error', (error, _, res) => {
      if (!(res instanceof ServerResponse)) {
        res.destroy();
        return;
      }
      // A client that disconnects is not a failure of console-service.
      if (!res.destroyed) {
        const fields = { requestId: requestIdOf(res as Response), reason: messageOf(error) };
        const what = late.has(res) ? 'did not answer in time' : 'cannot be reached';
        scope.once(makeSampledLog).warn(fields, `console-service ${what}`);
      }
      sendAnswer(res as Response, late.has(res) ? gatewayTimeout() : badGateway());
    });
  };
}
