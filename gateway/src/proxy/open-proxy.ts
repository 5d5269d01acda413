import type { Scope } from '@placard/service-kit';
import type { RequestHandler } from 'express';
import type { GatewayConfig } from '../config.js';
import { openForward } from './middleware/forward.js';
import { PROXIED_PATHS, proxyToConsole, type ProxyDeps } from './routes/proxy.js';

/** Opens the connections to console-service and makes the handler of the proxied paths. */
export function openProxy(
  scope: Scope,
  config: GatewayConfig,
  deps: Omit<ProxyDeps, 'paths' | 'forward'>,
): RequestHandler {
  const forward = openForward(scope, config.CONSOLE_HTTP_URL, deps.limits);
  return proxyToConsole({ ...deps, paths: PROXIED_PATHS, forward });
}
