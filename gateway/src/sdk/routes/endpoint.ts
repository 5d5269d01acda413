import { toAppError, type Kind } from '@placard/service-kit';
import { Abandonment, type CallContext } from '@placard/service-kit/grpc';
import type { Request, RequestHandler, Response } from 'express';
import { PEER_BUDGET_MS } from '../clients/peer.js';
import { invalidRequest, isRefusedCaller, rateLimited, statusOf, type Answer } from '../../domain/answer.js';
import type { LimitGroup, LimitKey } from '../../limits/domain/rate-limits.js';
import type { Admissions, Taken } from '../../limits/middleware/admission.js';
import { originOf, type ClientOrigin, type OriginSettings } from '../../edge/middleware/client-origin.js';
import { readBody } from '../middleware/read-body.js';
import { noteAd, requestIdOf } from '../../middleware/request-id.js';
import { sendAnswer } from '../../middleware/send-answer.js';
import type { ErrorCounts } from '../domain/error-counts.js';
import type { OwnTurn, Worked } from '../../overload/middleware/own-turn.js';
import type { Validate } from '../middleware/validators.js';

/** The parts of a request, besides the body, for a handler. */
export interface EndpointRequest {
  /** With {@link CallContext.abandonment}: the call should end when the client leaves. */
  readonly call: CallContext;
  readonly origin: ClientOrigin;
  /** Epoch milliseconds. */
  readonly arrivedAt: number;
}

/** One endpoint of the SDK API. Its schema is in the OpenAPI document. */
export interface Endpoint<Body extends object> {
  /** The path below `/v1`, as in the document. */
  readonly path: string;
  readonly limits: LimitGroup;
  /** How important its requests are in an overload. */
  readonly kind: Kind;
  /** The keys, besides the network, by which a request is counted. */
  keysOf(body: Body): readonly LimitKey[];
  /** The request id of the ad whose event the body reports, for logs and traces. Missing: it reports none. */
  adOf?(body: Body): string;
  /** Answers a valid request. Throws an AppError. */
  handle(body: Body, request: EndpointRequest): Promise<Answer>;
}

/** Dependencies of an endpoint. */
export interface EndpointDeps {
  readonly admissions: Admissions;
  readonly origin: OriginSettings;
  readonly ownTurn: OwnTurn;
  /** The time since a request that is read now can have arrived, in milliseconds. */
  readonly waitedMs: () => number;
  readonly validate: Validate;
  /** Longest wait for a whole body, in milliseconds. */
  readonly bodyMsMax: number;
  readonly errors: Pick<ErrorCounts, 'add'>;
}

/** A request whose turn comes later than this after its arrival, in milliseconds, has too little time left. */
const BEGIN_MS_MAX = PEER_BUDGET_MS - 300;

/**
 * Serves an endpoint: network limit → size → content type → encoding → JSON → its turn → fields → the limits that need
 * the body → the service. Contract: docs/contract/requests.md#order-of-reading, docs/contract/order-of-checks.md#all-endpoints.
 */
export function serveEndpoint(endpoint: Endpoint<object>, deps: EndpointDeps): RequestHandler {
  const count = (status: number, code: string, res: Response): void =>
    deps.errors.add({ status, code }, appKeyOf(res), Date.now());
  return async (req, res) => {
    try {
      const answer = await answerOf(endpoint, deps, req, res);
      if (answer.status >= 400) count(answer.status, answer.outcome, res);
      sendAnswer(res, answer);
    } catch (error) {
      const { code } = toAppError(error);
      count(statusOf(code) ?? 500, code, res);
      throw error;
    }
  };
}

/** Notes the app key of the body, of any type, for the count of an error. */
function noteAppKey(res: Response, body: Readonly<Record<string, unknown>>): void {
  res.locals['appKey'] = body['app_key'];
}

function appKeyOf(res: Response): unknown {
  return (res.locals as { readonly appKey?: unknown }).appKey;
}

async function answerOf(
  endpoint: Endpoint<object>,
  deps: EndpointDeps,
  req: Request,
  res: Response,
): Promise<Answer> {
  const origin = originOf(req, deps.origin);
  let arrivedAt = Date.now() - deps.waitedMs();
  const network = await deps.admissions.byNetwork(endpoint.limits, origin.address);
  if ('retryAfterSeconds' in network) return rateLimited(network.retryAfterSeconds);
  const isWhole = req.complete;
  const reading = await readBody(req, deps.bodyMsMax);
  if ('refusal' in reading) return reading.refusal;
  // The time that a client needs to send its body is not the product's.
  if (!isWhole) arrivedAt = Date.now() - deps.waitedMs();
  const { value: body } = reading;
  noteAppKey(res, body);
  const request = { body, res, origin, arrivedAt, network: network.taken };
  try {
    return await deps.ownTurn(endpoint.kind, arrivedAt + BEGIN_MS_MAX, () =>
      answerToBody(endpoint, deps, request),
    );
  } catch (error) {
    giveBackRefused(deps, request, network.taken, error);
    throw error;
  }
}

/** Nothing was done for a request that an overload refuses, so it is not counted. */
function giveBackRefused(
  { admissions }: Pick<EndpointDeps, 'admissions'>,
  { res }: Pick<ReadRequest, 'res'>,
  taken: readonly Taken[],
  error: unknown,
): void {
  if (toAppError(error).code === 'overloaded') admissions.giveBack(taken, requestIdOf(res));
}

/** A client that leaves before anything was written to it has certainly received nothing. */
function abandonmentOf(res: Response): Abandonment {
  const abandonment = new Abandonment();
  res.once('close', () => {
    if (!res.headersSent) abandonment.abandon();
  });
  if (res.destroyed) abandonment.abandon();
  return abandonment;
}

/** A request whose turn it is. */
interface ReadRequest {
  readonly body: Readonly<Record<string, unknown>>;
  readonly res: Response;
  readonly origin: ClientOrigin;
  /** Epoch milliseconds. */
  readonly arrivedAt: number;
  /** The buckets in which it is already counted. */
  readonly network: readonly Taken[];
}

async function answerToBody(
  endpoint: Endpoint<object>,
  { admissions, validate }: EndpointDeps,
  { body, res, origin, arrivedAt, network }: ReadRequest,
): Promise<Worked<Answer>> {
  const fields = validate(body);
  if (fields !== null) return { value: invalidRequest(fields), isAnswered: false };
  if (endpoint.adOf !== undefined) noteAd(res, endpoint.adOf(body));
  const requestId = requestIdOf(res);
  const counted = { before: network, requestId };
  const keys = await admissions.byKeys(endpoint.limits, endpoint.keysOf(body), counted);
  if ('retryAfterSeconds' in keys) return { value: rateLimited(keys.retryAfterSeconds), isAnswered: false };
  // An event counts even when its client does not wait for the answer.
  const abandonment = endpoint.kind === 'events' ? undefined : abandonmentOf(res);
  const call = { deadlineAt: arrivedAt + PEER_BUDGET_MS, requestId, abandonment };
  try {
    return { value: await endpoint.handle(body, { call, origin, arrivedAt }), isAnswered: true };
  } catch (error) {
    // The caller gives back the count of the network, with which `taken` begins.
    giveBackRefused({ admissions }, { res }, keys.taken.slice(network.length), error);
    // App keys are public, so refused callers must not use up the limit of a key. The count of the network stays.
    if (isRefusedCaller(toAppError(error).code)) {
      const ofKey = keys.taken.filter(({ dimension }) => dimension === 'app_key');
      admissions.giveBack(ofKey, requestId);
    }
    throw error;
  }
}
