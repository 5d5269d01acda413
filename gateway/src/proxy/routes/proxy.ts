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

/** What console-service answers through the gateway. */
export interface ProxiedPath {
  /** First segment; nothing of the SDK API, so that it does not depend on console-service. */
  readonly prefix: string;
  readonly methods: readonly string[];
}

/** Creative files are read, and nothing else. */
export const PROXIED_PATHS: readonly ProxiedPath[] = [{ prefix: '/creatives', methods: ['GET', 'HEAD'] }];

/** Methods whose requests have no body: servers disagree about one. RFC 9110, section 9.3.1. */
const BODILESS = new Set(['GET', 'HEAD']);
/** A network that holds all its slots tries again after so many seconds. */
const SLOT_RETRY_SECONDS = 5;

/** What the proxied paths need. */
export interface ProxyDeps {
  readonly paths: readonly ProxiedPath[];
  readonly forward: Forward;
  readonly limits: ProxyLimits;
  readonly admissions: Admissions;
  readonly origin: OriginSettings;
  readonly countRefusal: CountRefusal;
}

/**
 * Passes requests of the proxied paths on to console-service: method → framing → open requests of the network → rate
 * limit of the network. What is refused for its body ends the connection.
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
    // The client may have left meanwhile.
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
