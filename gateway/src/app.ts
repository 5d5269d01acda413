import {
  loadText,
  messageOf,
  openMetricsServer,
  openRedis,
  type RedisClient,
  type Scope,
} from '@placard/service-kit';
import express, { type Express } from 'express';
import type { Socket } from 'node:net';
import { Counter } from 'prom-client';
import { parse } from 'yaml';
import { openEventsClient } from './sdk/clients/events.js';
import { watchPeerHealth } from './sdk/clients/peer-health.js';
import { openServingClient } from './sdk/clients/serving.js';
import { openSessionClient } from './sdk/clients/session.js';
import type { GatewayConfig } from './config.js';
import { networkOf } from './edge/domain/address.js';
import { unknownPath } from './domain/answer.js';
import type { ApiDescription } from './domain/api-description.js';
import { renderDocsPage } from './pages/domain/docs-page.js';
import { HTTP_LIMITS, type HttpLimits } from './edge/domain/http-limits.js';
import { makeSlots } from './limits/domain/slots.js';
import { makeAdmissions } from './limits/middleware/admission.js';
import { peerOf, type OriginSettings } from './edge/middleware/client-origin.js';
import { compressWhereAccepted } from './edge/middleware/compress.js';
import { answerErrors } from './middleware/errors.js';
import { openForward } from './proxy/middleware/forward.js';
import { openHttpServer } from './edge/middleware/http-server.js';
import { observe } from './middleware/observe.js';
import { makeRefusals, type CountRefusal } from './limits/middleware/refusals.js';
import { refuseOddHttp } from './edge/middleware/refuse-odd-http.js';
import { sendAnswer } from './middleware/send-answer.js';
import { adsRequestEndpoint } from './sdk/routes/ads-request.js';
import { clickEndpoint, fallbackEndpoint, impressionEndpoint, rewardEndpoint } from './sdk/routes/events.js';
import { initializeEndpoint } from './sdk/routes/initialize.js';
import { pagesRouter } from './pages/routes/pages.js';
import { PROXIED_PATHS, proxyToConsole } from './proxy/routes/proxy.js';
import { sdkRouter } from './sdk/routes/sdk.js';
import { openCountryDatabase } from './edge/store/country-database.js';
import { makeRateLimitLeases } from './limits/store/rate-limit-leases.js';
import { makeFallbackRateLimiter } from './limits/store/rate-limiter.fallback.js';
import { makeMemoryRateLimiter } from './limits/store/rate-limiter.memory.js';
import { makeRedisRateLimiter } from './limits/store/rate-limiter.redis.js';
import type { RateLimiter } from './limits/store/rate-limiter.js';

/** A Redis that is away is told of at most once in so many milliseconds. */
const REDIS_WARNING_PAUSE_MS = 60_000;

/** Wires and starts the gateway; answers where it listens. */
export async function openGateway(
  scope: Scope,
  config: GatewayConfig,
  limits: HttpLimits = HTTP_LIMITS,
): Promise<{ readonly port: number; readonly metricsPort: number }> {
  const metrics = await openMetricsServer(scope, {
    host: config.METRICS_HOST ?? config.HOST,
    port: config.METRICS_PORT,
  });
  const countryOf = await openCountryDatabase(config.COUNTRY_DB);
  const redis = openRedis(scope, { url: config.REDIS_URL, name: scope.name, sendsAtOnce: true });
  const countRefusal = makeRefusals(scope);
  const admissions = makeAdmissions(scope, {
    countRefusal,
    leases: makeRateLimitLeases(openRateLimiter(scope, redis)),
    limits: config.RATE_LIMITS,
    networkHashKey: config.NETWORK_HASH_KEY,
  });
  const origin = { trust: config.TRUST_PROXY, countryHeader: config.COUNTRY_HEADER ?? null, countryOf };
  const description = parse(loadText(import.meta.url, '../openapi.yaml')) as ApiDescription;
  const app = makeExpress();
  app.use(observe(scope));
  app.use(refuseOddHttp);
  const forward = openForward(scope, config.CONSOLE_HTTP_URL, limits.proxy);
  const proxied = { paths: PROXIED_PATHS, forward, limits: limits.proxy };
  app.use(proxyToConsole({ ...proxied, admissions, origin, countRefusal }));
  app.use(compressWhereAccepted());
  app.use(
    sdkRouter(description, openEndpoints(scope, config), { admissions, origin, bodyMsMax: limits.bodyMs }),
  );
  app.use(
    pagesRouter(scope, {
      openapiJson: JSON.stringify(description),
      docsHtml: renderDocsPage(description),
    }),
  );
  app.use((_, res) => sendAnswer(res, unknownPath()));
  app.use(answerErrors(scope));
  const admits = boundConnections(config.NETWORK_CONNECTIONS_MAX, origin, countRefusal);
  const { port } = await openHttpServer(scope, app, {
    host: config.HOST,
    port: config.PORT,
    limits,
    admits,
  });
  scope.log.info({ port }, 'gateway listens');
  return { port, metricsPort: metrics.port };
}

/** Bounds the open connections of each network. A trusted proxy brings those of many networks, and is not bounded. */
function boundConnections(perKey: number, origin: OriginSettings, countRefusal: CountRefusal) {
  const slots = makeSlots({ perKey, all: 0 });
  return (socket: Socket): boolean => {
    const { address, isTrusted } = peerOf(socket, origin);
    if (isTrusted) return true;
    const giveBack = slots.take(networkOf(address));
    if (giveBack === null) countRefusal('connections', 'network');
    else socket.once('close', giveBack);
    return giveBack !== null;
  };
}

function makeExpress(): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').disable('query parser');
  app.enable('case sensitive routing').enable('strict routing');
  return app;
}

function openEndpoints(scope: Scope, config: GatewayConfig) {
  const session = { name: 'session-service', address: config.SESSION_SERVICE_ADDRESS };
  const serving = { name: 'serving-service', address: config.SERVING_SERVICE_ADDRESS };
  const events = { name: 'events-service', address: config.EVENTS_SERVICE_ADDRESS };
  for (const peer of [session, serving, events]) watchPeerHealth(scope, peer);
  const eventsClient = openEventsClient(scope, events);
  return [
    initializeEndpoint(openSessionClient(scope, session)),
    adsRequestEndpoint(openServingClient(scope, serving)),
    impressionEndpoint(eventsClient),
    clickEndpoint(eventsClient),
    rewardEndpoint(eventsClient),
    fallbackEndpoint(eventsClient),
  ];
}

function openRateLimiter(scope: Scope, redis: RedisClient): RateLimiter {
  const failures = new Counter({
    name: 'placard_rate_limiter_failures_total',
    help: 'Times that Redis did not count a request and this process did',
    registers: [scope.metrics],
  });
  let warnedAt = Number.NEGATIVE_INFINITY;
  return makeFallbackRateLimiter({
    shared: makeRedisRateLimiter(redis, scope.tracing),
    own: makeMemoryRateLimiter(),
    ticks: () => performance.now(),
    onFailure(error) {
      failures.inc();
      if (performance.now() - warnedAt < REDIS_WARNING_PAUSE_MS) return;
      warnedAt = performance.now();
      scope.log.warn({ reason: messageOf(error) }, 'rate limits are counted by this process alone');
    },
  });
}
