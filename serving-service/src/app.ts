import { setTimeout as sleep } from 'node:timers/promises';
import {
  keepKeyRings,
  makeImpressionTokens,
  makeSessionTokens,
  messageOf,
  openCatalog,
  openGrpcServer,
  openMetricsServer,
  openRedis,
  type OpenCatalog,
  type Scope,
} from '@placard/service-kit';
import { formatNanos } from '@placard/service-kit/pure';
import { openFraudClient } from './clients/fraud-client.grpc.js';
import { openSpendClient } from './clients/spend-client.grpc.js';
import { budgetShards, type Config } from './config.js';
import { CampaignIndex } from './domain/campaign-index.js';
import { keepRunning } from './periodic.js';
import { implementServingService } from './rpc/serving-handlers.js';
import { makeServingMetrics, type ServingMetrics } from './serving-metrics.js';
import { makeRedisBudgets } from './store/budget.redis.js';
import { makeRedisCaps } from './store/caps.redis.js';
import { makeRedisPaces } from './store/pace.redis.js';
import { BudgetOutlook } from './usecase/budget-outlook.js';
import { makeCheckBudgets } from './usecase/check-budgets.js';
import { makeCloseMinutes } from './usecase/close-minutes.js';
import { makeCommitReservations } from './usecase/commit-reservations.js';
import { makeGuardMemory } from './usecase/guard-memory.js';
import { LateReports } from './usecase/late-reports.js';
import { makeLearnShowRates } from './usecase/learn-show-rates.js';
import { makeLearnTraffic } from './usecase/learn-traffic.js';
import { makeRefreshOutlook } from './usecase/refresh-outlook.js';
import { makeRequestAd } from './usecase/request-ad.js';
import { makeBudgetSeeder } from './usecase/seed-budgets.js';
import { ServingReport } from './usecase/serving-report.js';
import { makeSessionOpener } from './usecase/session-cache.js';
import { makeWatchReservations } from './usecase/watch-reservations.js';

const REPORT_INTERVAL_MS = 1_000;
const REFRESH_INTERVAL_MS = 1_000;
const BEAT_INTERVAL_MS = 1_000;
const CLOSE_INTERVAL_MS = 5_000;
/** How soon a comparison that could not be made is tried again; one that was made lasts longer. */
const WATCH_INTERVAL_MS = 250;
const CHECK_INTERVAL_MS = 10_000;
const RATES_INTERVAL_MS = 10_000;
/** How soon the learned traffic is asked for again while it could not be had. */
const TRAFFIC_INTERVAL_MS = 15_000;
const REPLICA_ID_BYTES = 12;

/** Opens serving-service: catalog, stores, clients, periodic work, its gRPC and metrics servers; answers where it listens. */
export async function openApp(scope: Scope, config: Config): Promise<{ readonly port: number }> {
  await openMetricsServer(scope, { host: config.HOST, port: config.METRICS_PORT });
  const metrics = makeServingMetrics(scope);
  const parts = openParts(scope, config, metrics);
  const { budgets, caps, spend, fraud, catalog, index, outlook, report, watch } = parts;
  const { clock, random } = scope;
  const wait = (ms: number): Promise<void> => sleep(ms, undefined, { ref: false });
  const seeder = makeBudgetSeeder({
    budgets,
    spend,
    clock,
    wait,
    flushReport: () => report.flush(),
    tellReservations: (generation) => watch.whole(generation),
    siblings: (id) => index.siblings(id),
    onOutcome(outcome, error) {
      metrics.onSeed(outcome);
      if (outcome === 'failed') scope.log.warn({ why: messageOf(error) }, 'budget counters not rebuilt');
    },
  });
  keepKeyRings(scope, { session: config.SESSION_TOKEN_KEYS, impression: config.IMPRESSION_TOKEN_KEYS });
  const requestAd = makeRequestAd({
    ...{ clock, random, catalog, index, budgets, caps, fraud, outlook, seeder, report, wait },
    openSession: makeSessionOpener(makeSessionTokens(config.SESSION_TOKEN_KEYS), config.SESSION_TOKEN_KEYS),
    impressionTokens: makeImpressionTokens(config.IMPRESSION_TOKEN_KEYS),
    adTtlMs: config.AD_TTL_SECONDS * 1_000,
    onAnswer: metrics.onAnswer,
    onDegraded(error) {
      metrics.onDegraded('redis');
      scope.log.debug({ why: messageOf(error) }, 'an ad request went without Redis');
    },
  });
  keepWorking(scope, metrics, parts);
  const commitReservations = makeCommitReservations({ budgets, caps, outlook, catalog, clock });
  const service = implementServingService({
    requestAd,
    commitReservations,
    isCatalogLoaded: catalogGate(catalog),
  });
  await catalog.begun();
  return openGrpcServer(scope, { host: config.HOST, port: config.GRPC_PORT, services: [service] });
}

type Parts = ReturnType<typeof openParts>;

function openParts(scope: Scope, config: Config, metrics: ServingMetrics) {
  const redis = openRedis(scope, { url: config.REDIS_URL, name: scope.name });
  const catalog = openCatalog(scope, {
    address: config.CONSOLE_SERVICE_ADDRESS,
    cacheFile: config.CATALOG_CACHE_FILE === '' ? null : config.CATALOG_CACHE_FILE,
  });
  const spend = openSpendClient(scope, config.EVENTS_SERVICE_ADDRESS);
  const fraud = openFraudClient(scope, {
    address: config.FRAUD_SERVICE_ADDRESS,
    onDown: () => metrics.onDegraded('fraud-service'),
  });
  const index = new CampaignIndex();
  const outlook = new BudgetOutlook(index);
  followCatalog(scope, catalog, { index, outlook, metrics });
  const reports = new LateReports(spend, scope.clock);
  const report = new ServingReport(reports, metrics.onRowDropped);
  metrics.watch({
    waitingRows: () => report.waitingRows,
    spentCampaigns: () => outlook.spentCount,
    trafficGroups: (isProven) => outlook.pace.groups.filter((group) => group.isProven === isProven).length,
  });
  const replicaId = Buffer.from(scope.random.bytes(REPLICA_ID_BYTES)).toString('hex');
  const onLost = (shard: number): void => {
    metrics.reservations.onMemoryLost();
    scope.log.warn({ shard }, 'Redis has lost memory; budget counters are rebuilt');
  };
  const memory = { onLost, quietMs: () => reports.quietMs() };
  const budgets = metrics.measured(makeRedisBudgets(redis, budgetShards(config), replicaId, memory));
  const flushReport = (): Promise<void> => report.flush();
  return {
    ...{ catalog, index, spend, fraud, outlook, report, budgets },
    watch: makeWatchReservations({ budgets, spend, flushReport, clock: scope.clock }),
    paces: makeRedisPaces(redis, budgetShards(config)),
    caps: makeRedisCaps(redis),
  };
}

interface CatalogFollowers {
  readonly index: CampaignIndex;
  readonly outlook: BudgetOutlook;
  readonly metrics: ServingMetrics;
}

/** Keeps the index as the catalog is, from its first load on. */
function followCatalog(scope: Scope, catalog: OpenCatalog, followers: CatalogFollowers): void {
  const { index, outlook, metrics } = followers;
  catalog.onChange((delta) => {
    const startedAt = performance.now();
    const touched = index.apply(catalog, delta);
    for (const id of touched) {
      const entry = index.get(id);
      if (entry === undefined) outlook.drop(id);
      else outlook.pace.follow(entry, scope.clock.now());
    }
    metrics.onIndexed(index.size, (performance.now() - startedAt) / 1_000);
  });
}

function catalogGate(catalog: OpenCatalog): () => boolean {
  let isLoaded = false;
  // Rejects only when the process stops before the first load: then nothing is to be started.
  catalog.ready().then(
    () => (isLoaded = true),
    () => undefined,
  );
  return () => isLoaded;
}

function keepWorking(scope: Scope, metrics: ServingMetrics, parts: Parts): void {
  const { budgets, spend, outlook, index, report } = parts;
  const { clock } = scope;
  const flushReport = (): Promise<void> => report.flush();
  const refresh = makeRefreshOutlook({ budgets, outlook, index, clock });
  const closeMinutes = makeCloseMinutes({ budgets, spend, outlook, clock });
  keepRunning(scope, {
    name: 'report of requests and fills',
    intervalMs: REPORT_INTERVAL_MS,
    run: flushReport,
    isRunAtEnd: true,
  });
  keepRunning(scope, { name: 'look at spent campaigns', intervalMs: REFRESH_INTERVAL_MS, run: refresh });
  keepLearning(scope, parts);
  keepGuarding(scope, metrics, parts);
  keepRunning(scope, {
    name: 'closing of campaign-minutes',
    intervalMs: CLOSE_INTERVAL_MS,
    async run() {
      metrics.onOpenMinutes(await budgets.countOpenMinutes());
      await closeMinutes();
    },
  });
}

/** What notices that Redis has lost some of its memory, and what only Redis knows. */
function keepGuarding(scope: Scope, metrics: ServingMetrics, parts: Parts): void {
  const { budgets, report, watch } = parts;
  keepRunning(scope, {
    name: 'signs of life in Redis',
    intervalMs: BEAT_INTERVAL_MS,
    run: makeGuardMemory({
      budgets,
      flushReport: () => report.flush(),
    }),
  });
  keepRunning(scope, {
    name: 'comparison of reservations with reported fills',
    intervalMs: WATCH_INTERVAL_MS,
    isRunAtStart: true,
    async run() {
      const watched = await watch.round();
      if (watched === null) return;
      metrics.reservations.onWatched(watched);
      const found = formatNanos(watched.foundNanos);
      if (watched.foundNanos > 0n)
        scope.log.info({ found }, 'Redis holds more than was reported; it is told');
      const raised = formatNanos(watched.raisedNanos);
      if (watched.raisedNanos > 0n)
        scope.log.warn({ raised }, 'budget counters held too little; they are raised');
    },
  });
  keepChecking(scope, metrics, parts);
}

function keepChecking(scope: Scope, metrics: ServingMetrics, { budgets, spend, report, index }: Parts): void {
  const checkBudgets = makeCheckBudgets({
    ...{ budgets, spend, index, clock: scope.clock },
    flushReport: () => report.flush(),
    onOverspend({ overNanos, ...limit }) {
      scope.log.warn({ ...limit, over: formatNanos(overNanos) }, 'more was accepted than a limit allows');
    },
  });
  keepRunning(scope, {
    name: 'comparison of budgets with the truth',
    intervalMs: CHECK_INTERVAL_MS,
    async run() {
      const check = await checkBudgets();
      metrics.onDrift(check);
      metrics.reservations.onOverspends(check.overspends);
    },
  });
}

/** What plans are made of: show rates, and the days of traffic, which are asked for at once. */
function keepLearning(scope: Scope, { paces, spend, outlook }: Parts): void {
  const memory = outlook.pace;
  keepRunning(scope, {
    name: 'reading of show rates',
    intervalMs: RATES_INTERVAL_MS,
    run: makeLearnShowRates({ paces, memory }),
  });
  keepRunning(scope, {
    name: 'fetching of learned traffic',
    intervalMs: TRAFFIC_INTERVAL_MS,
    run: makeLearnTraffic({ spend, memory, clock: scope.clock }),
    isRunAtStart: true,
  });
}
