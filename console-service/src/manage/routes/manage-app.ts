import type { Scope } from '@placard/service-kit';
import express, { type Express, type RequestHandler } from 'express';
import { readSystemUser, SYSTEM_USER_HEADER } from '../../access/domain/system-user.js';
import type { Authenticate } from '../../access/usecase/authenticate.js';
import type { Authorize, NoteForbidden } from '../../access/usecase/authorize.js';
import { ROLE_KINDS } from '../../access/domain/role.js';
import { endpointsOf, isDecided, type ApiDocument, type Endpoint } from '../domain/api-document.js';
import type { Handler, ManageRoutes, OperationId } from '../domain/operations.js';
import { answerErrors } from '../middleware/answer-errors.js';
import { giveRequestId } from '../middleware/request-id.js';
import { sendProblem } from '../middleware/send.js';
import { makeCompileValidators } from '../middleware/validators.js';
import type { AnswerOnce } from '../usecase/answer-once.js';
import { makeOperationHandler } from './operation-handler.js';

/** Where the management API begins, also at the gateway. */
const BASE = '/manage/v1';

/** What the management API needs. */
export interface ManageAppDeps {
  readonly document: ApiDocument;
  readonly routes: ManageRoutes;
  readonly authenticate: Authenticate;
  readonly authorize: Authorize;
  readonly noteForbidden: NoteForbidden;
  readonly answerOnce: AnswerOnce;
}

/**
 * The management API: every operation of the document, and the document. Only the log-in needs no key. Throws when an
 * operation has no handler, or a handler no operation.
 */
export function makeManageApp(scope: Scope, deps: ManageAppDeps): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.enable('case sensitive routing').enable('strict routing').set('query parser', 'simple');
  app.use(giveRequestId(scope));
  app.use((_, res, next) => {
    res.set({ 'Cache-Control': 'no-store, private', 'X-Content-Type-Options': 'nosniff' });
    next();
  });
  app.use(refuseUnreadableAddress);
  const endpoints = endpointsOf(deps.document);
  requireSame(endpoints, deps.routes);
  app.use(requireActor(deps.authenticate, endpoints));
  app.get(`${BASE}/openapi.json`, (_, res) => void res.json(deps.document));
  const compile = makeCompileValidators(deps.document);
  for (const [path, methods] of byPath(endpoints)) {
    const route = app.route(BASE + path);
    for (const endpoint of methods) {
      const { authorize, noteForbidden, answerOnce } = deps;
      const handle = deps.routes[endpoint.operationId as OperationId] as Handler<OperationId>;
      const validators = compile(endpoint);
      const serve = makeOperationHandler({
        endpoint,
        handle,
        validators,
        authorize,
        noteForbidden,
        answerOnce,
      });
      route[endpoint.method as 'get'](serve);
    }
    route.all(refuseMethod(methods));
  }
  app.use((_, res) => {
    sendProblem(res, { status: 404, code: 'not_found', detail: 'There is no such operation.' });
  });
  app.use(answerErrors(scope));
  return app;
}

/** Refuses an address with escapes of no text: a parameter would be another text than its sender meant, or not storable. */
const refuseUnreadableAddress: RequestHandler = (req, res, next) => {
  if (isReadable(req.url)) {
    next();
    return;
  }
  const detail = 'The address cannot be read: its escapes are not UTF-8, or one is U+0000.';
  sendProblem(res, { status: 400, code: 'invalid_argument', detail });
};

function isReadable(url: string): boolean {
  try {
    return !decodeURIComponent(url).includes('\0');
  } catch {
    return false;
  }
}

function requireActor(authenticate: Authenticate, endpoints: readonly Endpoint[]): RequestHandler {
  const open = endpoints.filter(({ isOpen }) => isOpen).map(callOf);
  return async (req, res, next) => {
    if (open.includes(callOf({ method: req.method, path: req.path.slice(BASE.length) }))) {
      res.locals['actor'] = null;
      next();
      return;
    }
    const actor = await authenticate(req.get('Authorization'));
    if (actor === null) {
      const detail = 'An API key or a session in force is required, as Authorization: Bearer KEY.';
      sendProblem(res, { status: 401, code: 'unauthenticated', detail });
      return;
    }
    res.locals['actor'] = { ...actor, systemUser: readSystemUser(req.get(SYSTEM_USER_HEADER)) };
    next();
  };
}

/** `POST /sessions`. An operation that needs no key has no parameter in its path. */
function callOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`;
}

function requireSame(endpoints: readonly Endpoint[], routes: ManageRoutes): void {
  const documented = new Set(endpoints.map(({ operationId }) => operationId));
  const missing = [...documented].filter((id) => !Object.hasOwn(routes, id));
  const unknown = Object.keys(routes).filter((id) => !documented.has(id));
  const undecided = endpoints.filter((endpoint) => ROLE_KINDS.some((kind) => !isDecided(endpoint, kind)));
  if (undecided.length > 0)
    throw new Error(
      `operations that do not limit a tenant: ${undecided.map(({ operationId }) => operationId).join(', ')}`,
    );
  if (missing.length > 0) throw new Error(`operations without a handler: ${missing.join(', ')}`);
  if (unknown.length > 0) throw new Error(`handlers without an operation: ${unknown.join(', ')}`);
}

function byPath(endpoints: readonly Endpoint[]): ReadonlyMap<string, readonly Endpoint[]> {
  const paths = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    const methods = paths.get(endpoint.path) ?? [];
    paths.set(endpoint.path, [...methods, endpoint]);
  }
  return paths;
}

function refuseMethod(methods: readonly Endpoint[]): RequestHandler {
  const allowed = methods.map(({ method }) => method.toUpperCase()).join(', ');
  return (_, res) => {
    res.setHeader('Allow', allowed);
    sendProblem(res, {
      status: 405,
      code: 'invalid_argument',
      detail: `The method is not allowed here; use ${allowed}.`,
    });
  };
}
