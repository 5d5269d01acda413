import { messageOf, type Scope } from '@placard/service-kit';
import type { RequestHandler, Response } from 'express';
import { createProxyMiddleware, debugProxyErrorsPlugin, type Plugin } from 'http-proxy-middleware';
import { Agent as HttpAgent, METHODS, ServerResponse } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { badGateway, invalidRequest } from '../domain/answer.js';
import { sendAnswer } from '../middleware/send-answer.js';

/** First segments that console-service answers: nothing of the SDK API, so that it does not depend on it. */
export const PROXIED_PATHS = ['/creatives'] as const;

/** Connections to console-service at most, and the longest silence in milliseconds. */
const SOCKETS_MAX = 256;
const SILENCE_MS_MAX = 30_000;
/** Headers that would carry a client's address beyond the gateway. */
const ADDRESS_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'true-client-ip', 'cf-connecting-ip'];

/**
 * Passes requests on to console-service as they are, bodies unread. Without an agent that keeps connections alive the
 * proxy would close the clients' connections as well. Console-service away: 502 in JSON.
 */
export function proxyToConsole(scope: Scope, targetUrl: string): RequestHandler {
  const isSecure = targetUrl.startsWith('https:');
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: SOCKETS_MAX });
  scope.onClose('console proxy', () => agent.destroy());
  const proxy = createProxyMiddleware({
    target: targetUrl,
    agent,
    proxyTimeout: SILENCE_MS_MAX,
    // The ready-made error answers are HTML-like text that names the target; ours follow.
    ejectPlugins: true,
    plugins: [debugProxyErrorsPlugin, answerInJson(scope), keepOwnConnections(scope)],
  });
  return (req, res, next) => {
    const prefix = PROXIED_PATHS.find((path) => req.path === path || req.path.startsWith(`${path}/`));
    if (prefix === undefined) {
      next();
      return;
    }
    res.locals['route'] = prefix;
    // Node.js at the other end would not know it either, and would answer without an envelope.
    if (!METHODS.includes(req.method)) {
      sendAnswer(res, invalidRequest({ method: ['is not known'] }, 400));
      return;
    }
    for (const name of ADDRESS_HEADERS) Reflect.deleteProperty(req.headers, name);
    proxy(req, res, next).catch(next);
  };
}

/** Whether the client's connection ends is the gateway's to say, whatever becomes of the one to console-service. */
function keepOwnConnections(scope: Scope): Plugin {
  return (server) => {
    server.on('proxyRes', (answer) => {
      if (scope.stopping.aborted) answer.headers.connection = 'close';
      else delete answer.headers.connection;
    });
  };
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
