import { toAppError } from '@placard/service-kit';
import type { CallContext } from '@placard/service-kit/grpc';
import type { Request, RequestHandler, Response } from 'express';
import { randomUUID } from 'node:crypto';
import { PEER_BUDGET_MS } from '../clients/peer.js';
import { invalidRequest, isRefusedCaller, rateLimited, type Answer } from '../../domain/answer.js';
import type { LimitGroup, LimitKey } from '../../limits/domain/rate-limits.js';
import type { Admissions } from '../../limits/middleware/admission.js';
import { originOf, type ClientOrigin, type OriginSettings } from '../../edge/middleware/client-origin.js';
import { readBody } from '../middleware/read-body.js';
import { sendAnswer } from '../../middleware/send-answer.js';
import type { Validate } from '../middleware/validators.js';

/** The parts of a request, besides the body, for a handler. */
export interface EndpointRequest {
  readonly call: CallContext;
  readonly origin: ClientOrigin;
}

/** One endpoint of the SDK API. Its schema is in the OpenAPI document. */
export interface Endpoint<Body extends object> {
  /** The path below `/v1`, as in the document. */
  readonly path: string;
  readonly limits: LimitGroup;
  /** The keys, besides the network, by which a request is counted. */
  keysOf(body: Body): readonly LimitKey[];
  /** Answers a valid request. Throws an AppError. */
  handle(body: Body, request: EndpointRequest): Promise<Answer>;
}

/** Dependencies of an endpoint. */
export interface EndpointDeps {
  readonly admissions: Admissions;
  readonly origin: OriginSettings;
  readonly validate: Validate;
  /** Longest wait for a whole body, in milliseconds. */
  readonly bodyMsMax: number;
}

/**
 * Serves an endpoint: network limit → size → content type → encoding → JSON → fields → the limits that need the body →
 * the service. Contract: docs/contract/requests.md#order-of-reading, docs/contract/order-of-checks.md#all-endpoints.
 */
export function serveEndpoint(endpoint: Endpoint<object>, deps: EndpointDeps): RequestHandler {
  return async (req, res) => {
    sendAnswer(res, await answerOf(endpoint, deps, req, res));
  };
}

async function answerOf(
  endpoint: Endpoint<object>,
  deps: EndpointDeps,
  req: Request,
  res: Response,
): Promise<Answer> {
  const { admissions, validate } = deps;
  const origin = originOf(req, deps.origin);
  const network = await admissions.byNetwork(endpoint.limits, origin.address);
  if ('retryAfterSeconds' in network) return rateLimited(network.retryAfterSeconds);
  const reading = await readBody(req, deps.bodyMsMax);
  if ('refusal' in reading) return reading.refusal;
  const body = reading.value;
  const fields = validate(body);
  if (fields !== null) return invalidRequest(fields);
  const keys = await admissions.byKeys(endpoint.limits, endpoint.keysOf(body), network.taken);
  if ('retryAfterSeconds' in keys) return rateLimited(keys.retryAfterSeconds);
  const requestId = randomUUID();
  res.locals['requestId'] = requestId;
  const call = { deadlineAt: Date.now() + PEER_BUDGET_MS, requestId };
  try {
    return await endpoint.handle(body, { call, origin });
  } catch (error) {
    // App keys are public, so refused callers must not use up the limit of a key. The count of the network stays.
    if (isRefusedCaller(toAppError(error).code)) {
      admissions.giveBack(keys.taken.filter(({ dimension }) => dimension === 'app_key'));
    }
    throw error;
  }
}
