import type { Request, RequestHandler, Response } from 'express';
import { networkOf } from '../../edge/domain/address.js';
import { brokenHttp, rateLimited, wrongMethod, type Answer } from '../../domain/answer.js';
import { hasBody, isPlainlyFramed } from '../../edge/domain/http-headers.js';
import type { ProxyLimits } from '../../edge/domain/http-limits.js';
import { makeSlots } from '../../limits/domain/slots.js';
import type { Admissions } from '../../limits/middleware/admission.js';
import { originOf, type OriginSettings } from '../../edge/middleware/client-origin.js';
import type { Forward } from '../middleware/forward.js';
import type { CountRefusal } from '../../limits/middleware/refusals.js';
import { sendAnswer } from '../../middleware/send-answer.js';

/** A path that console-service answers through the gateway. */
export interface ProxiedPath {
  /** The first segment. It must not belong to the SDK API, which must not depend on console-service. */
  readonly prefix: string;
  readonly methods: readonly string[];
}

/** Creative files can be read only. */
export const PROXIED_PATHS: readonly ProxiedPath[] = [{ prefix: '/creatives', methods: ['GET', 'HEAD'] }];

/** Methods whose requests must have no body, because servers disagree about it. RFC 9110, section 9.3.1. */
const BODILESS = new Set(['GET', 'HEAD']);
/** Retry-After for a network without a free slot, in seconds. */
const SLOT_RETRY_SECONDS = 5;

/** Dependencies of the proxied paths. */
export interface ProxyDeps {
  readonly paths: readonly ProxiedPath[];
  readonly forward: Forward;
  readonly limits: ProxyLimits;
  readonly admissions: Admissions;
  readonly origin: OriginSettings;
  readonly countRefusal: CountRefusal;
}

/**
 * Passes requests of the proxied paths to console-service, after these checks: method → framing → open requests of the
 * network → rate limit of the network. A request that is refused for its body ends the connection.
 */
export function proxyToConsole(deps: ProxyDeps): RequestHandler {
  const { openPerNetworkMax: perKey, openMax: all } = deps.limits;
  const slots = makeSlots({ perKey, all });
  const admit = async (req: Request, res: Response): Promise<Answer | null> => {
    const { address } = originOf(req, deps.origin);
    const giveBack = slots.take(networkOf(address));
    if (giveBack === null) {
      deps.countRefusal('creatives', 'open');
      return rateLimited(SLOT_RETRY_SECONDS);
    }
    res.once('close', giveBack);
    const admission = await deps.admissions.byNetwork('creatives', address);
    return 'retryAfterSeconds' in admission ? rateLimited(admission.retryAfterSeconds) : null;
  };
  return async (req, res, next) => {
    const path = deps.paths.find(({ prefix }) => req.path === prefix || req.path.startsWith(`${prefix}/`));
    if (path === undefined) {
      next();
      return;
    }
    res.locals['route'] = path.prefix;
    const refusal = refusalOf(req, path) ?? (await admit(req, res));
    if (refusal !== null) sendAnswer(res, refusal);
    // The client may have disconnected in the meantime.
    else if (!res.destroyed) await deps.forward(req, res);
  };
}

function refusalOf(req: Request, { methods }: ProxiedPath): Answer | null {
  const brings = hasBody(req.headers);
  if (!methods.includes(req.method)) {
    const answer = wrongMethod(methods);
    return brings ? { ...answer, isLast: true } : answer;
  }
  const isFine = isPlainlyFramed(req.headers, req.httpVersion) && !(brings && BODILESS.has(req.method));
  return isFine ? null : brokenHttp();
}
