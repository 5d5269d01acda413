import {
  keepKeyRings,
  makeImpressionTokens,
  makePool,
  makeSessionTokens,
  messageOf,
  openCatalog,
  openGrpcServer,
  openMetricsServer,
  openPostgres,
  servingAll,
  watchPool,
  type ImplementedService,
  type OpenCatalog,
  type Pool,
  type PostgresOptions,
  type Scope,
} from '@placard/service-kit';
import { SECOND_MS, dayOf, minuteOf } from '@placard/service-kit/pure';
import { addJob, openQueue, type JobTrace } from '@placard/service-kit/queue';
import { setTimeout as sleep } from 'node:timers/promises';
import { openFraudClient } from './events/clients/fraud.js';
import { openServingClient, type FillOutcome } from './events/clients/serving.js';
import type { ServiceConfig } from './config.js';
import type { Fallback } from './events/domain/fallback.js';
import type { Rejection } from './events/domain/judge.js';
import type { LeaseKey } from './budgets/domain/lease.js';
import { makeServiceMetrics, type ServiceMetrics } from './metrics.js';
import { implementEventsService } from './events/rpc/events.js';
import { implementLedgerService } from './ledger/rpc/ledger.js';
import { implementReportService } from './reports/rpc/reports.js';
import { implementSpendService } from './budgets/rpc/spend.js';
import { SETTLEMENT_QUEUE, WAKE_JOB } from './settlement-queue.js';
import { openCountStore } from './reports/store/counts.pg.js';
import { openEventStore } from './events/store/events.pg.js';
import { openLeaseStore } from './budgets/store/leases.pg.js';
import { openLedgerStore } from './ledger/store/ledger.pg.js';
import { openPartitionStore } from './store/partitions.pg.js';
import { openReportStore } from './reports/store/report.pg.js';
import { openSettlementStore } from './settlement/store/settlement.pg.js';
import { openTrafficStore } from './traffic/store/traffic.pg.js';
import { openStatementStore } from './ledger/store/statement.pg.js';
import { openVerificationStore } from './verification/store/verification.pg.js';
import { makeRejectionCounter, type RejectionCounter } from './events/usecase/count-rejections.js';
import { makeExchangeLeases } from './budgets/usecase/exchange-leases.js';
import { makeGetReport } from './reports/usecase/get-report.js';
import { makeGetTrafficCurves } from './traffic/usecase/get-traffic-curves.js';
import { makeGetStatement } from './ledger/usecase/get-statement.js';
import { makeGroups } from './events/usecase/groups.js';
import { makeJudgeGroup, type PendingEvent } from './events/usecase/judge-group.js';
import { makeListBalances } from './ledger/usecase/list-balances.js';
import { makeOutgoing, type Outgoing } from './usecase/outgoing.js';
import { makeRecordAdjustment } from './ledger/usecase/record-adjustment.js';
import { makeRecordDeposit } from './ledger/usecase/record-deposit.js';
import { makeRecordEvent, type RecordEvent } from './events/usecase/record-event.js';
import { makeRecordFallback, type RecordFallback } from './events/usecase/record-fallback.js';
import { makeReportServing } from './reports/usecase/report-serving.js';
import { makeTellOthers } from './events/usecase/tell-others.js';
import { makeVerifyLedger } from './verification/usecase/verify-ledger.js';
import { makeVerifyRows } from './verification/usecase/verify-rows.js';
import { makeWaker } from './settlement/usecase/waker.js';

/**
 * One group at a time: what arrives meanwhile makes the next one larger, and a group costs hardly more than a single event.
 * A rest of 4 ms saves a quarter of what Postgres does for an event with 16 events on their way.
 */
const GROUPS = { itemsMax: 500, groupsMax: 1, restMs: 4, waitingMax: 10_000 } as const;
/** Leases and sums are locked by whoever changes them: a process that stands still meanwhile holds up the others for so long. */
const IDLE_TRANSACTION_MS = 10_000;
/** Reports and verifications may run longer than an event may wait. */
const REPORT_STATEMENT_MS = 60_000;
/** One statement of the check from the rows; it ends before its connection's life can. */
const ROWS_STATEMENT_MS = 100_000;
const ROWS_POOL_MAX = 2;
const FLUSH_MS = SECOND_MS;
const RELEASES = { itemsMax: 10_000, batchMax: 500, gapMs: 0, retryMs: SECOND_MS } as const;
/** Under load the worker then settles a second's events together; a run for a few rows costs as much as for hundreds. */
const WAKE_GAP_MS = SECOND_MS;
const REPORTER_BYTES = 12;

/** Wires events-service and serves until the scope closes; answers the gRPC port. */
export async function openApp(scope: Scope, config: ServiceConfig): Promise<{ readonly port: number }> {
  await openMetricsServer(scope, { host: config.HOST, port: config.METRICS_PORT });
  const metrics = makeServiceMetrics(scope.metrics);
  const pool = openPostgres(scope, {
    url: config.DATABASE_URL,
    poolMax: config.DATABASE_POOL_MAX,
    idleTransactionMs: IDLE_TRANSACTION_MS,
  });
  const reportPool = openReportPool(scope, config);
  const rowsPool = openRowsPool(scope, config);
  const rejections = openRejectionCounter(scope, pool, metrics);
  const catalog = openCatalog(scope, {
    address: config.CONSOLE_SERVICE_ADDRESS,
    cacheFile: config.CATALOG_CACHE_FILE === '' ? null : config.CATALOG_CACHE_FILE,
  });
  const events = openEvents({ scope, config, pool, metrics, rejections, catalog });
  const services = [
    implementEventsService(events),
    ...openBooks({ scope, pool, reportPool, rowsPool, rejections }),
  ];
  await catalog.begun();
  return openGrpcServer(scope, { host: config.HOST, port: config.GRPC_PORT, services });
}

function openReportPool(scope: Scope, config: ServiceConfig): Pool {
  const poolMax = config.DATABASE_REPORT_POOL_MAX;
  return openLongPool(scope, 'reports', {
    url: config.DATABASE_URL,
    poolMax,
    statementTimeoutMs: REPORT_STATEMENT_MS,
  });
}

function openRowsPool(scope: Scope, config: ServiceConfig): Pool {
  return openLongPool(scope, 'checks from the rows', {
    url: config.DATABASE_URL,
    poolMax: ROWS_POOL_MAX,
    statementTimeoutMs: ROWS_STATEMENT_MS,
  });
}

function openLongPool(scope: Scope, name: string, options: PostgresOptions): Pool {
  const pool = makePool(options, (error) =>
    scope.log.warn({ why: error.message }, 'postgres connection lost'),
  );
  watchPool(scope, pool, name);
  scope.onClose(`postgres pool: ${name}`, () => pool.end());
  return pool;
}

function openRejectionCounter(scope: Scope, pool: Pool, metrics: ServiceMetrics): RejectionCounter {
  const counter = makeRejectionCounter({
    store: openCountStore(pool),
    reporterId: Buffer.from(scope.random.bytes(REPORTER_BYTES)).toString('hex'),
    onDropped: () => metrics.dropped('reports', 1),
  });
  const flush = (): void => {
    counter.flush().catch((error: unknown) => scope.log.debug({ why: messageOf(error) }, 'rejections wait'));
  };
  const timer = setInterval(flush, FLUSH_MS);
  scope.onClose('rejection counts', async () => {
    clearInterval(timer);
    await counter.flush();
  });
  return counter;
}

interface EventParts {
  readonly scope: Scope;
  readonly config: ServiceConfig;
  readonly pool: Pool;
  readonly metrics: ServiceMetrics;
  readonly rejections: RejectionCounter;
  readonly catalog: OpenCatalog;
}

function openEvents(parts: EventParts): { recordEvent: RecordEvent; recordFallback: RecordFallback } {
  const { scope, config, pool, metrics, rejections } = parts;
  const { clock } = scope;
  const partitions = openPartitionStore(pool);
  const store = openEventStore(pool, partitions);
  const today = dayOf(clock.now());
  partitions.ensure([today, today + 1]).catch((error: unknown) => {
    scope.log.warn({ why: messageOf(error) }, 'partitions are made when the first event needs them');
  });
  const fraud = openFraudClient(scope, config.FRAUD_SERVICE_ADDRESS);
  const serving = openServingClient(scope, config.SERVING_SERVICE_ADDRESS);
  const others = makeTellOthers({ serving, fraud, onDropped: metrics.dropped });
  scope.onClose('what others are told', () => others.close());
  const releases = openReleases(scope, pool, metrics);
  const queue = openQueue<JobTrace>(scope, { ...SETTLEMENT_QUEUE, url: config.REDIS_URL });
  const waker = makeWaker({
    send: () => addJob(scope, queue, WAKE_JOB),
    gapMs: WAKE_GAP_MS,
    onFailure: metrics.wakeFailed,
  });
  const judgeGroup = makeJudgeGroup({
    store,
    fraud,
    clock,
    onJudged: (outcomes) => {
      others.outcomes.push(outcomes);
      releases.push(outcomes.flatMap(toReleasedLease));
    },
    onWaiting: () => waker.wake(),
  });
  const groups = makeGroups<PendingEvent, 'accepted' | Rejection>({
    ...GROUPS,
    work: (group) => {
      metrics.groupSize(group.length);
      const traceparents = group.map(({ traceparent }) => traceparent);
      return servingAll(scope.tracing, traceparents, 'judge events', () => judgeGroup(group));
    },
  });
  keepKeyRings(scope, { session: config.SESSION_TOKEN_KEYS, impression: config.IMPRESSION_TOKEN_KEYS });
  metrics.waiting('event', () => groups.waitingCount);
  const recordEvent = makeRecordEvent({
    tokens: makeImpressionTokens(config.IMPRESSION_TOKEN_KEYS),
    clock,
    eventWindowMs: config.EVENT_WINDOW_SECONDS * SECOND_MS,
    groups,
    onAccepted: (event) => metrics.accepted(event.type),
    onRejected: ({ type, claims, arrivedAtMs }, { reason, rule }) => {
      metrics.rejected(type, reason);
      rejections.add(reason, claims, arrivedAtMs);
      if (claims !== null) others.suspicious.push([{ rule, event: type, claims, atMs: arrivedAtMs }]);
    },
  });
  return { recordEvent, recordFallback: openFallbacks(parts) };
}

/** Money of suspicious impressions is given back in the background; what fails is given back when its lease is closed. */
function openReleases(scope: Scope, pool: Pool, metrics: ServiceMetrics): Outgoing<LeaseKey> {
  const leases = openLeaseStore(pool);
  const releases = makeOutgoing<LeaseKey>({
    ...RELEASES,
    send: (keys) => leases.releaseSuspicious(keys),
    onDropped: (items) => metrics.dropped('budgets', items),
  });
  scope.onClose('releases of suspicious impressions', () => releases.close());
  return releases;
}

function toReleasedLease({ claims, verdict }: FillOutcome): LeaseKey[] {
  if (verdict !== 'suspicious' || claims.isTest) return [];
  return [{ campaignId: claims.campaignId, minute: minuteOf(claims.filledAtMs), run: claims.leaseRun }];
}

function openFallbacks({ scope, config, pool, metrics, catalog }: EventParts): RecordFallback {
  const counts = openCountStore(pool);
  const groups = makeGroups<Fallback, 'counted'>({
    ...GROUPS,
    work: async (fallbacks) => {
      await counts.addFallbacks(fallbacks);
      return fallbacks.map(() => 'counted' as const);
    },
  });
  metrics.waiting('fallback', () => groups.waitingCount);
  return makeRecordFallback({
    tokens: makeSessionTokens(config.SESSION_TOKEN_KEYS),
    catalog,
    clock: scope.clock,
    groups,
    onCounted: metrics.fallback,
  });
}

interface BookParts {
  readonly scope: Scope;
  readonly pool: Pool;
  readonly reportPool: Pool;
  readonly rowsPool: Pool;
  readonly rejections: RejectionCounter;
}

function openBooks(parts: BookParts): readonly ImplementedService[] {
  const { scope, pool, reportPool, rowsPool, rejections } = parts;
  const { clock } = scope;
  const books = openVerificationStore(reportPool, rowsPool);
  const ledger = openLedgerStore(pool);
  return [
    implementSpendService({
      exchangeLeases: makeExchangeLeases(openLeaseStore(pool), clock),
      reportServing: makeReportServing(openCountStore(pool)),
      getTrafficCurves: makeGetTrafficCurves(openTrafficStore(pool)),
    }),
    implementLedgerService({
      recordDeposit: makeRecordDeposit(ledger, clock),
      recordAdjustment: makeRecordAdjustment(ledger, clock),
      listBalances: makeListBalances(ledger),
      getStatement: makeGetStatement(openStatementStore(reportPool), clock),
      verifyRows: makeVerifyRows(books),
      verifyLedger: makeVerifyLedger({
        books,
        settlement: openSettlementStore(pool, () => clock.now()),
        clock,
        sleep: (ms) => sleep(ms),
        flush: () => rejections.flush(),
      }),
    }),
    implementReportService(makeGetReport(openReportStore(reportPool))),
  ];
}
