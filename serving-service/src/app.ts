import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { coarseTimers, messageOf, openMetricsServer, redisOf, type Scope } from '@placard/service-kit';
import { keepRunning } from '@placard/service-kit/background';
import { openBreaker } from '@placard/service-kit/breaker';
import { openCatalog, type OpenCatalog } from '@placard/service-kit/catalog-reader';
import { openGrpcServer } from '@placard/service-kit/grpc';
import { COMMAND_MS_MAX, openRedis } from '@placard/service-kit/redis';
import { keepKeyRings, makeImpressionTokens, makeSessionTokens } from '@placard/service-kit/tokens';
import { systemClock } from '@placard/service-kit/pure';
import { openFraudClient } from './ads/clients/fraud-client.grpc.js';
import { openSpendClient } from './clients/spend-client.grpc.js';
import type { Config } from './config.js';
import { CampaignIndex } from './selection/domain/campaign-index.js';
import { Wallet } from './budgets/domain/wallet.js';
import { implementServingService } from './rpc/serving-handlers.js';
import { makeServingMetrics, type ServingMetrics } from './serving-metrics.js';
import { makeRedisCaps } from './caps/store/cap-store.redis.js';
import { HeadroomMemory } from './budgets/usecase/headroom-memory.js';
import { LeaseExchanger } from './budgets/usecase/exchange-leases.js';
import { followCatalog } from './usecase/follow-catalog.js';
import { openExplain } from './explain/open-explain.js';
import { toWireExplained } from './explain/clients/explained-wire.js';
import { implementTryService } from './explain/rpc/try-handlers.js';
import { makeTryRequest } from './explain/usecase/try-request.js';
import { makeLearnTraffic } from './pacing/usecase/learn-traffic.js';
import { makeRequestAd } from './ads/usecase/request-ad.js';
import { ServingReport } from './ads/usecase/serving-report.js';
import { makeSessionOpener } from './ads/usecase/session-cache.js';
import { makeSettleCaps } from './caps/usecase/settle-caps.js';

const REPORT_INTERVAL_MS = 1_000;
const EXCHANGE_INTERVAL_MS = 250;
/** Interval between attempts to fetch the learned traffic. */
const TRAFFIC_INTERVAL_MS = 15_000;
const RUN_BYTES = 8;

/**
 * Opens serving-service: catalog, stores, clients, periodic work, gRPC server and metrics server. Answers the address
 * on which it listens.
 */
export async function openApp(scope: Scope, config: Config): Promise<{ readonly port: number }> {
  await openMetricsServer(scope, { host: config.HOST, port: config.METRICS_PORT });
  const metrics = makeServingMetrics(scope);
  const parts = openParts(scope, config, metrics);
  const { caps, catalog } = parts;
  const { clock, random } = scope;
  keepKeyRings(scope, { session: config.SESSION_TOKEN_KEYS, impression: config.IMPRESSION_TOKEN_KEYS });
  const requestAd = makeRequestAd({
    ...parts,
    sample: openExplain(scope, {
      ...parts,
      sample: config.EXPLAIN_SAMPLE,
      losses: parts.report.losses,
      eventsServiceAddress: config.EVENTS_SERVICE_ADDRESS,
      onDropped: metrics.onUnexplained,
    }),
    clock,
    random,
    wary: new WeakSet(),
    openSession: makeSessionOpener(makeSessionTokens(config.SESSION_TOKEN_KEYS), config.SESSION_TOKEN_KEYS),
    impressionTokens: makeImpressionTokens(config.IMPRESSION_TOKEN_KEYS),
    traceparent: () => scope.tracing?.traceparent() ?? null,
    adTtlMs: adTtlMs(config),
    deadlineClock: systemClock,
    timers: coarseTimers,
    openFillsMax: config.OPEN_FILLS_MAX,
    onAnswer: metrics.onAnswer,
    onDegraded(error, requestId) {
      metrics.onDegraded('redis');
      scope.log.debug({ requestId, reason: messageOf(error) }, 'an ad request was handled without Redis');
    },
  });
  keepWorking(scope, parts);
  const isCatalogLoaded = catalogGate(catalog);
  const service = implementServingService({
    requestAd,
    settleCaps: makeSettleCaps({ caps, catalog, clock }),
    isCatalogLoaded,
  });
  const tryRequest = makeTryRequest({ ...parts, clock, turn: () => turn() });
  const trying = implementTryService({
    tryRequest: async (request) => toWireExplained(await tryRequest(request)),
    isCatalogLoaded,
  });
  await catalog.begun();
  return openGrpcServer(scope, { host: config.HOST, port: config.GRPC_PORT, services: [service, trying] });
}

type Parts = ReturnType<typeof openParts>;

function openParts(scope: Scope, config: Config, metrics: ServingMetrics) {
  const redis = openRedis(scope, { ...redisOf(config), name: scope.name });
  const catalog = openCatalog(scope, {
    address: config.CONSOLE_SERVICE_ADDRESS,
    key: config.CATALOG_READ_KEY,
    cacheFile: config.CATALOG_CACHE_FILE === '' ? null : config.CATALOG_CACHE_FILE,
  });
  const spend = openSpendClient(scope, config.EVENTS_SERVICE_ADDRESS);
  const fraud = openFraudClient(scope, {
    address: config.FRAUD_SERVICE_ADDRESS,
    onDown: () => metrics.onDegraded('fraud-service'),
  });
  const index = new CampaignIndex();
  const headroom = new HeadroomMemory(index);
  const wallet = new Wallet();
  catalog.onChange((delta) => {
    const startedAt = performance.now();
    followCatalog({ index, headroom, wallet, clock: scope.clock }, catalog, delta);
    metrics.onIndexed(index.size, (performance.now() - startedAt) / 1_000);
  });
  const report = new ServingReport(spend, metrics.onRowDropped);
  metrics.watch({
    waitingRows: () => report.waitingRows,
    skippedCampaigns: () => headroom.skippedCount,
    leasedNanos: () => wallet.leftNanos,
    trafficGroups: (isProven) => headroom.pace.groups.filter((group) => group.isProven === isProven).length,
  });
  const { onWant, onWait, onExchange } = metrics;
  const exchanger = new LeaseExchanger({
    wallet,
    headroom,
    index,
    spend,
    onWant,
    onWait,
    onExchange,
    clock: scope.clock,
    deadlineClock: systemClock,
    wait: (ms) => sleep(ms, undefined, { ref: false }),
    run: Buffer.from(scope.random.bytes(RUN_BYTES)).toString('hex'),
    adTtlMs: adTtlMs(config),
  });
  const breaker = openBreaker(scope, { dependency: 'redis' });
  const caps = breaker.guard(COMMAND_MS_MAX, makeRedisCaps(redis, scope.tracing));
  return { catalog, index, spend, fraud, headroom, wallet, exchanger, report, caps };
}

function adTtlMs({ AD_TTL_SECONDS }: Config): number {
  return AD_TTL_SECONDS * 1_000;
}

function catalogGate(catalog: OpenCatalog): () => boolean {
  let isLoaded = false;
  // Rejects only when the process stops before the first load. Then nothing needs to start.
  catalog.ready().then(
    () => (isLoaded = true),
    () => undefined,
  );
  return () => isLoaded;
}

/**
 * Runs the background work. When the process stops and the server has answered its last call, the work runs once more.
 */
function keepWorking(scope: Scope, { spend, headroom, report, exchanger }: Parts): void {
  keepRunning(scope, {
    name: 'report of requests and fills',
    intervalMs: REPORT_INTERVAL_MS,
    run: (isLast) => (isLast ? report.end() : report.flush()),
    isRunAtEnd: true,
  });
  keepRunning(scope, {
    name: 'fetching of learned traffic',
    intervalMs: TRAFFIC_INTERVAL_MS,
    run: makeLearnTraffic({ spend, memory: headroom.pace, clock: scope.clock }),
    isRunAtStart: true,
  });
  scope.onClose('return of budget leases', () => exchanger.close());
  keepRunning(scope, {
    name: 'exchange of budget leases',
    intervalMs: EXCHANGE_INTERVAL_MS,
    // Replicas do not run in step anyway: requests start exchanges between the ticks.
    jitter: 0,
    run: () => exchanger.tick(),
  });
}
