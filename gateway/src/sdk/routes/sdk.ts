import type { Kind } from '@placard/service-kit';
import { Router } from 'express';
import type { ApiDescription } from '../../domain/api-description.js';
import { wrongMethod } from '../../domain/answer.js';
import { sendAnswer } from '../../middleware/send-answer.js';
import { compileValidators } from '../middleware/validators.js';
import { serveEndpoint, type Endpoint, type EndpointDeps } from './endpoint.js';

/** Version segment of the base URL. Contract: docs/contract/sdk-api.md#versioning. */
const VERSION = '/v1';

/** The dependencies that all endpoints share. */
export type SdkRouterDeps = Omit<EndpointDeps, 'validate'>;

/** The kinds of the endpoints, by the paths that clients use. */
export function kindsOf(endpoints: readonly Endpoint<object>[]): ReadonlyMap<string, Kind> {
  return new Map(endpoints.map(({ path, kind }) => [`${VERSION}${path}`, kind]));
}

/**
 * All endpoints of the SDK API at their exact paths. Another method is answered with 405. Every endpoint must be in the
 * OpenAPI document, and every operation of the document must have an endpoint.
 */
export function makeSdkRouter(
  description: ApiDescription,
  endpoints: readonly Endpoint<object>[],
  deps: SdkRouterDeps,
): Router {
  const validators = compileValidators(description);
  if (endpoints.length !== validators.size) throw new Error('the OpenAPI document has other endpoints');
  const router = Router({ caseSensitive: true, strict: true });
  for (const endpoint of endpoints) {
    const path = `${VERSION}${endpoint.path}`;
    const validate = validators.get(description.paths[endpoint.path]?.post.operationId ?? '');
    if (validate === undefined) throw new Error(`the OpenAPI document lacks ${endpoint.path}`);
    router
      .route(path)
      .all((_, res, next) => {
        res.locals['route'] = path;
        next();
      })
      .post(serveEndpoint(endpoint, { ...deps, validate }))
      .all((_, res) => sendAnswer(res, wrongMethod(['POST'])));
  }
  return router;
}
