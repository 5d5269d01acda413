import type { Request, RequestHandler, Response } from 'express';
import { createHash } from 'node:crypto';
import type { Actor, Role } from '../../access/domain/actor.js';
import type { Named, Tenant } from '../../access/domain/permission.js';
import type { Authorize, NoteForbidden } from '../../access/usecase/authorize.js';
import {
  IDEMPOTENCY_KEY,
  IF_MATCH,
  needsHeader,
  tenantFilterOf,
  type Endpoint,
  type Parameter,
} from '../domain/api-document.js';
import { readIfMatch } from '../domain/if-match.js';
import type {
  FieldError,
  Handler,
  OperationAnswer,
  OperationId,
  OperationRequest,
  Refusal,
} from '../domain/operations.js';
import type { ProblemParts } from '../domain/problem.js';
import type { GivenAnswer } from '../domain/repetition.js';
import { makeReadBody } from '../middleware/read-body.js';
import { sendProblem } from '../middleware/send.js';
import type { Parameters, Validators } from '../middleware/validators.js';
import type { AnswerOnce } from '../usecase/answer-once.js';

/** What the handler of an operation needs. */
export interface OperationDeps {
  readonly endpoint: Endpoint;
  readonly handle: Handler<OperationId>;
  readonly validators: Validators;
  readonly authorize: Authorize;
  readonly noteForbidden: NoteForbidden;
  readonly answerOnce: AnswerOnce;
}

/** Longest idempotency key, in characters. */
const KEY_CHARS_MAX = 200;

/**
 * Serves one operation, after these checks: role and tenant → parameters → If-Match → body → idempotency key. The caller is
 * known by now.
 */
export function makeOperationHandler(deps: OperationDeps): RequestHandler {
  const { endpoint, validators } = deps;
  const readBody = endpoint.requestType === null ? null : makeReadBody(endpoint.requestType);
  return async (req, res) => {
    const { actor } = res.locals as { readonly actor: Actor | null };
    res.locals['operation'] = endpoint.operationId;
    const { operationId, roles } = endpoint;
    const named = namedIn(endpoint, req);
    const tenant =
      actor === null
        ? null
        : await deps.authorize({
            actor,
            operationId,
            roles,
            named,
            hidden: hiddenIn(endpoint, req, actor.role.kind),
          });
    const parameters = validators.parameters({
      path: req.params,
      query: limitedTo(tenant, endpoint, req.query),
    });
    if ('errors' in parameters) {
      sendProblem(res, invalid('The parameters are refused.', parameters.errors));
      return;
    }
    const ifMatch = readIfMatch(endpoint, req.get(IF_MATCH));
    if ('problem' in ifMatch) {
      sendProblem(res, ifMatch.problem);
      return;
    }
    const body = readBody === null ? { value: undefined } : await readBody(req, res);
    if ('problem' in body) {
      sendProblem(res, body.problem);
      return;
    }
    const errors = validators.body(body.value);
    if (errors.length > 0) {
      sendProblem(res, invalid('The body is refused.', errors));
      return;
    }
    const request = {
      actor,
      tenant,
      ...parameters,
      ifMatch: ifMatch.version,
      body: body.value,
    } as OperationRequest<OperationId>;
    await answer(deps, { req, res, request });
  };
}

/** What the parameters name. */
function namedIn({ parameters }: Endpoint, req: Request): readonly Named[] {
  return parameters.flatMap((parameter) => {
    const { 'x-owner': kind } = parameter;
    return kind === undefined ? [] : valuesOf(parameter, req).map((id) => ({ kind, id }));
  });
}

/** The values of parameters that are hidden from a kind of role. */
function hiddenIn({ parameters }: Endpoint, req: Request, kind: Role['kind']): readonly string[] {
  return parameters.flatMap((parameter) => {
    const hidden = parameter['x-hidden-from']?.[kind] ?? [];
    const asked = hidden.length === 0 ? [] : valuesOf(parameter, req);
    return hidden.filter((value) => asked.includes(value)).map((value) => `${parameter.name}=${value}`);
  });
}

/** The values of a parameter of the path or the query, before they are validated. */
function valuesOf({ name, in: place, explode }: Parameter, req: Request): readonly string[] {
  const given = [(place === 'path' ? req.params : req.query)[name] ?? []].flat();
  const values = given.filter((value) => typeof value === 'string');
  return values.flatMap((value) => (explode === false ? value.split(',') : value));
}

/** The query of a request, limited to the tenant. This is the one place that does so; handlers see a filter like any other. */
function limitedTo(tenant: Tenant | null, endpoint: Endpoint, query: Request['query']): Request['query'] {
  if (tenant === null) return query;
  const filter = tenantFilterOf(endpoint, tenant.kind);
  return filter === undefined ? query : { ...query, [filter.name]: tenant.id };
}

interface Call {
  readonly req: Request;
  readonly res: Response;
  readonly request: OperationRequest<OperationId>;
}

/** Handles a request. A refusal because of the caller is in the audit, like one before the body was read. */
async function handleNoted(
  { endpoint, handle, noteForbidden }: OperationDeps,
  request: OperationRequest<OperationId>,
): Promise<OperationAnswer<OperationId>> {
  const outcome = await handle(request);
  if ('refusal' in outcome && outcome.refusal.status === 403 && request.actor !== null)
    await noteForbidden(request.actor, endpoint.operationId);
  return outcome;
}

async function answer(deps: OperationDeps, { req, res, request }: Call): Promise<void> {
  const { endpoint, answerOnce } = deps;
  if (!needsHeader(endpoint, IDEMPOTENCY_KEY)) {
    const outcome = await handleNoted(deps, request);
    if ('refusal' in outcome) sendProblem(res, refused(outcome.refusal));
    else send(res, endpoint, toGiven(outcome));
    return;
  }
  const key = req.get(IDEMPOTENCY_KEY) ?? '';
  if (key === '' || key.length > KEY_CHARS_MAX) {
    const detail = `is required and has 1 to ${KEY_CHARS_MAX} characters`;
    sendProblem(res, invalid('The request is refused.', [{ field: IDEMPOTENCY_KEY, detail }]));
    return;
  }
  const name = { actorId: request.actor?.id ?? '', key };
  const { hasSecretAnswer } = endpoint;
  const work = async (): Promise<GivenAnswer> => {
    const outcome = await handleNoted(deps, request);
    if ('refusal' in outcome) throw new Refused(refused(outcome.refusal));
    return toGiven(outcome);
  };
  try {
    send(res, endpoint, await answerOnce({ name, hash: hashOf(endpoint, request), hasSecretAnswer }, work));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    sendProblem(res, error.parts);
  }
}

/** Carries a refusal out of the work that is done once. */
class Refused extends Error {
  constructor(readonly parts: ProblemParts) {
    super(parts.detail);
  }
}

function toGiven(outcome: { readonly body: unknown; readonly status?: number; readonly etag?: string }) {
  const { body, status = body === undefined ? 204 : 200, etag = null } = outcome;
  return { status, etag, body, isSecret: false };
}

/** Of the whole request, as it was understood. */
function hashOf({ operationId }: Endpoint, request: OperationRequest<OperationId>): string {
  const { path, query, body } = request as Parameters & { readonly body: unknown };
  return createHash('sha256')
    .update(JSON.stringify([operationId, path, query, body]))
    .digest('hex');
}

const REFUSAL_CODES = {
  403: 'permission_denied',
  409: 'conflict',
  412: 'precondition_failed',
  422: 'invalid_argument',
} as const;

function refused({ detail, errors, status = 422 }: Refusal): ProblemParts {
  return { status, code: REFUSAL_CODES[status], detail, errors };
}

function invalid(detail: string, errors: readonly FieldError[]): ProblemParts {
  return { status: 422, code: 'invalid_argument', detail, errors };
}

function send(res: Response, { answerType }: Endpoint, { status, etag, body }: GivenAnswer): void {
  if (res.destroyed) return;
  res.status(status);
  if (etag !== null) res.setHeader('ETag', `"${etag}"`);
  if (answerType === null || body === null || body === undefined) {
    res.end();
    return;
  }
  res.type(answerType);
  res.send(answerType === 'application/json' ? JSON.stringify(body) : body);
}
