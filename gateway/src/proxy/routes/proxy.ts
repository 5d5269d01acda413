import type { Request, RequestHandler, Response } from 'express';
import { networkOf } from '../../edge/domain/address.js';
import {
  brokenHttp,
  invalidRequest,
  rateLimited,
  unknownPath,
  wrongMethod,
  type Answer,
} from '../../domain/answer.js';
import { MANAGE_PATH } from '../../domain/problem.js';
import { hasBody, isPlainlyFramed } from '../../edge/domain/http-headers.js';
import type { ProxyLimits } from '../../edge/domain/http-limits.js';
import type { LimitGroup } from '../../limits/domain/rate-limits.js';
import { makeSlots } from '../../limits/domain/slots.js';
import type { Admissions } from '../../limits/middleware/admission.js';
import { originOf, type OriginSettings } from '../../edge/middleware/client-origin.js';
import type { Forward } from '../middleware/forward.js';
import type { CountRefusal } from '../../limits/middleware/refusals.js';
import { sendAnswer } from '../../middleware/send-answer.js';

/** A path that console-service answers through the gateway. */
export interface ProxiedPath {
  /** The first segments. They must not belong to the SDK API, which must not depend on console-service. */
  readonly prefix: string;
  readonly methods: readonly string[];
  /** Of its limits of open requests and of time. */
  readonly group: 'creatives' | 'manage';
  /** Of its rate limit; default: `group`. */
  readonly rates?: LimitGroup;
}

/** Creative files and the keys of signatures can be read only. The management API has its own checks. The first path that fits counts. */
export const PROXIED_PATHS: readonly ProxiedPath[] = [
  { prefix: '/creatives', methods: ['GET', 'HEAD'], group: 'creatives' },
  { prefix: '/.well-known/jwks.json', methods: ['GET', 'HEAD'], group: 'creatives' },
  { prefix: `${MANAGE_PATH}/sessions`, methods: ['POST'], group: 'manage', rates: 'login' },
  { prefix: MANAGE_PATH, methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], group: 'manage' },
];

/** Methods whose requests must have no body, because servers disagree about it. RFC 9110, section 9.3.1. */
const BODILESS = new Set(['GET', 'HEAD']);
/**
 * An empty segment or a backslash. The proxy would pass such a path on as another one, which may have another limit: `//sessions`
 * as a log-in.
 */
const ODD_PATH = /\/\/|\\/;
/** Retry-After for a network without a free slot, in seconds. */
const SLOT_RETRY_SECONDS = 5;

/** Dependencies of the proxied paths. */
export interface ProxyDeps {
  readonly paths: readonly (ProxiedPath & { readonly forward: Forward; readonly limits: ProxyLimits })[];
  readonly admissions: Admissions;
  readonly origin: OriginSettings;
  readonly countRefusal: CountRefusal;
}

/**
 * Passes requests of the proxied paths to console-service, after these checks: path → method → framing → size → open
 * requests of the network → rate limit of the network. A request that is refused for its body ends the connection.
 */
export function proxyToConsole(deps: ProxyDeps): RequestHandler {
  const places = deps.paths.map(({ limits, ...path }) => {
    const { openPerNetworkMax: perKey, openMax: all } = limits;
    return { ...path, limits, slots: makeSlots({ perKey, all }) };
  });
  const admit = async (
    { group, rates = group, slots }: (typeof places)[number],
    req: Request,
    res: Response,
  ): Promise<Answer | null> => {
    const { address } = originOf(req, deps.origin);
    const giveBack = slots.take(networkOf(address));
    if (giveBack === null) {
      deps.countRefusal(group, 'open');
      return rateLimited(SLOT_RETRY_SECONDS);
    }
    res.once('close', giveBack);
    const admission = await deps.admissions.byNetwork(rates, address);
    return 'retryAfterSeconds' in admission ? rateLimited(admission.retryAfterSeconds) : null;
  };
  return async (req, res, next) => {
    const path = places.find(({ prefix }) => req.path === prefix || req.path.startsWith(`${prefix}/`));
    if (path === undefined) {
      next();
      return;
    }
    res.locals['route'] = path.prefix;
    const refusal = refusalOf(req, path) ?? (await admit(path, req, res));
    if (refusal !== null) sendAnswer(res, refusal);
    // The client may have disconnected in the meantime.
    else if (!res.destroyed) await path.forward(req, res);
  };
}

function refusalOf(req: Request, { methods, limits }: ProxyDeps['paths'][number]): Answer | null {
  const brings = hasBody(req.headers);
  if (ODD_PATH.test(req.path)) return brings ? { ...unknownPath(), isLast: true } : unknownPath();
  if (!methods.includes(req.method)) {
    const answer = wrongMethod(methods);
    return brings ? { ...answer, isLast: true } : answer;
  }
  const isFine = isPlainlyFramed(req.headers, req.httpVersion) && !(brings && BODILESS.has(req.method));
  if (!isFine) return brokenHttp();
  return Number(req.headers['content-length'] ?? 0) > limits.bodyBytesMax
    ? tooLarge(limits.bodyBytesMax)
    : null;
}

function tooLarge(bytesMax: number): Answer {
  return { ...invalidRequest({ body: [`must not be larger than ${bytesMax} bytes`] }, 413), isLast: true };
}
