import { openMetricsServer, type Scope } from '@placard/service-kit';
import { loadText } from '@placard/service-kit/files';
import express, { type Express } from 'express';
import { parse } from 'yaml';
import type { GatewayConfig } from './config.js';
import { unknownPath } from './domain/answer.js';
import type { ApiDescription } from './domain/api-description.js';
import { HTTP_LIMITS, type HttpLimits } from './edge/domain/http-limits.js';
import { allowOrigins } from './edge/middleware/allow-origins.js';
import { boundConnections } from './edge/middleware/bound-connections.js';
import { compressWhereAccepted } from './edge/middleware/compress.js';
import { openHttpServer } from './edge/middleware/http-server.js';
import { refuseOddHttp } from './edge/middleware/refuse-odd-http.js';
import { readCountryDatabase } from './edge/store/country-database.js';
import { openLimits } from './limits/open-limits.js';
import { answerErrors } from './middleware/errors.js';
import { observe } from './middleware/observe.js';
import { giveRequestId } from './middleware/request-id.js';
import { sendAnswer } from './middleware/send-answer.js';
import { makePagesRouter } from './pages/routes/pages.js';
import { makeTryPage } from './pages/routes/try-page.js';
import { openProxy } from './proxy/open-proxy.js';
import { refuseOverload } from './overload/middleware/refuse-overload.js';
import { openSdk } from './sdk/open-sdk.js';

/** The paths of the SDK API. */
const SDK_PATH = '/v1';

/** Connects the parts of the gateway and starts it. Answers the address on which it listens. */
export async function openGateway(
  scope: Scope,
  config: GatewayConfig,
  limits: HttpLimits = HTTP_LIMITS,
): Promise<{ readonly port: number; readonly metricsPort: number }> {
  const metrics = await openMetricsServer(scope, {
    host: config.METRICS_HOST ?? config.HOST,
    port: config.METRICS_PORT,
  });
  const countryOf = await readCountryDatabase(config.COUNTRY_DB);
  const { admissions, countRefusal } = openLimits(scope, config);
  const origin = { trust: config.TRUST_PROXY, countryHeader: config.COUNTRY_HEADER ?? null, countryOf };
  const description = parse(loadText(import.meta.url, '../openapi.yaml')) as ApiDescription;
  const app = makeExpress();
  app.use(giveRequestId(scope));
  app.use(observe(scope));
  app.use(refuseOddHttp);
  app.use(openProxy(scope, config, { limits, admissions, origin, countRefusal }));
  app.use(compressWhereAccepted());
  const allowed = config.CORS_ORIGINS.length > 0 ? allowOrigins(config.CORS_ORIGINS) : null;
  if (allowed !== null) app.use(SDK_PATH, allowed);
  const sdk = openSdk(scope, config, description, { admissions, origin, bodyMsMax: limits.bodyMs });
  app.use(sdk.router);
  app.use(makePagesRouter(scope, description));
  app.use(makeTryPage());
  app.use((_, res) => sendAnswer(res, unknownPath()));
  app.use(answerErrors(scope));
  const overload = { kinds: sdk.kinds, limits, allowOrigins: allowed };
  const { port } = await openHttpServer(scope, refuseOverload(scope, overload, app), {
    host: config.HOST,
    port: config.PORT,
    limits,
    onConnection: boundConnections(config.NETWORK_CONNECTIONS_MAX, { origin, countRefusal }),
  });
  scope.log.info({ port }, 'gateway listens');
  return { port, metricsPort: metrics.port };
}

function makeExpress(): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').disable('query parser');
  app.enable('case sensitive routing').enable('strict routing');
  return app;
}
