import type { Scope } from '@placard/service-kit';
import type { RequestHandler } from 'express';
import type { GatewayConfig } from '../config.js';
import type { HttpLimits } from '../edge/domain/http-limits.js';
import { openForward } from './middleware/forward.js';
import { PROXIED_PATHS, proxyToConsole, type ProxyDeps } from './routes/proxy.js';

/** Opens the connections to console-service and makes the handler of the proxied paths. */
export function openProxy(
  scope: Scope,
  config: GatewayConfig,
  {
    limits,
    ...deps
  }: Omit<ProxyDeps, 'paths'> & { readonly limits: Pick<HttpLimits, 'creatives' | 'manage'> },
): RequestHandler {
  const urls = { creatives: config.CONSOLE_HTTP_URL, manage: config.MANAGE_URL };
  const paths = PROXIED_PATHS.map((path) => {
    const own = limits[path.group];
    return { ...path, limits: own, forward: openForward(scope, urls[path.group], own) };
  });
  return proxyToConsole({ ...deps, paths });
}
