import { openMetricsServer, type Scope } from '@placard/service-kit';
import { openCatalog } from '@placard/service-kit/catalog-reader';
import { openGrpcClient, openGrpcServer } from '@placard/service-kit/grpc';
import { keepKeyRings, makeSessionTokens } from '@placard/service-kit/tokens';
import { FraudServiceService } from '@placard/protos/fraud/v1/fraud.js';
import { openPackageMismatches } from './clients/package-mismatches.grpc.js';
import type { Config } from './config.js';
import { implementSessionService } from './rpc/session-handlers.js';
import { makeSessionMetrics } from './session-metrics.js';
import { makeStartSession } from './usecase/start-session.js';

/**
 * Opens session-service: catalog, client of fraud-service, gRPC server and metrics server. Answers the address on which
 * it listens.
 */
export async function openApp(scope: Scope, config: Config): Promise<{ readonly port: number }> {
  await openMetricsServer(scope, { host: config.HOST, port: config.METRICS_PORT });
  const metrics = makeSessionMetrics(scope);
  const catalog = openCatalog(scope, {
    address: config.CONSOLE_SERVICE_ADDRESS,
    key: config.CATALOG_READ_KEY,
    cacheFile: config.CATALOG_CACHE_FILE === '' ? null : config.CATALOG_CACHE_FILE,
  });
  let isCatalogLoaded = false;
  // Rejects only when the process stops before the first load. Then nothing needs to start.
  catalog.ready().then(
    () => (isCatalogLoaded = true),
    () => undefined,
  );
  const fraud = openGrpcClient(scope, FraudServiceService, {
    address: config.FRAUD_SERVICE_ADDRESS,
    name: 'fraud-service',
  });
  keepKeyRings(scope, { session: config.SESSION_TOKEN_KEYS });
  const tokens = makeSessionTokens(config.SESSION_TOKEN_KEYS);
  const startSession = makeStartSession({
    catalog,
    isCatalogLoaded: () => isCatalogLoaded,
    seal: (claims) => tokens.seal(claims),
    mismatches: openPackageMismatches(scope, { client: fraud, onDropped: metrics.onDropped }),
    clock: scope.clock,
    random: scope.random,
    sessionTtlMs: config.SESSION_TTL_SECONDS * 1_000,
    onOutcome: metrics.onOutcome,
  });
  await catalog.begun();
  return openGrpcServer(scope, {
    host: config.HOST,
    port: config.GRPC_PORT,
    services: [implementSessionService(startSession)],
  });
}
