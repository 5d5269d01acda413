import { databaseOf, makeSampledLog, openMetricsServer, type Scope } from '@placard/service-kit';
import { openCatalog } from '@placard/service-kit/catalog-reader';
import { openGrpcServer, type ImplementedService, type WritingPorts } from '@placard/service-kit/grpc';
import {
  makePool,
  openPostgres,
  watchPool,
  type Pool,
  type PostgresOptions,
} from '@placard/service-kit/postgres';
import { setTimeout as sleep } from 'node:timers/promises';
import { implementSpendService } from './budgets/rpc/spend.js';
import { openLeaseStore } from './budgets/store/leases.pg.js';
import type { LeaseStore } from './budgets/store/leases.js';
import { makeExchangeLeases } from './budgets/usecase/exchange-leases.js';
import type { ServiceConfig } from './config.js';
import { implementDeliveryService } from './delivery/rpc/delivery.js';
import { openDeliveryStore } from './delivery/store/delivery.pg.js';
import { makeGetDelivery } from './delivery/usecase/get-delivery.js';
import { implementExplainService } from './explain/rpc/explain.js';
import { openExplanationStore } from './explain/store/explanations.pg.js';
import { makeGetExplanation } from './explain/usecase/get-explanation.js';
import { makeGetFunnel } from './explain/usecase/get-funnel.js';
import { makeRecordRequests } from './explain/usecase/record-requests.js';
import { openFraudClient } from './events/clients/fraud.grpc.js';
import { openEvents, openRejectionCounter } from './events/open-events.js';
import { implementEventsService } from './events/rpc/events.js';
import type { RejectionCounter } from './events/usecase/count-rejections.js';
import { implementLedgerService } from './ledger/rpc/ledger.js';
import { openLedgerStore } from './ledger/store/ledger.pg.js';
import { openStatementStore } from './ledger/store/statement.pg.js';
import { makeGetStatement } from './ledger/usecase/get-statement.js';
import { makeListBalances } from './ledger/usecase/list-balances.js';
import { makeRecordAdjustment } from './ledger/usecase/record-adjustment.js';
import { makeRecordDeposit } from './ledger/usecase/record-deposit.js';
import { makeRecordTransfer } from './ledger/usecase/record-transfer.js';
import { makeServiceMetrics } from './metrics.js';
import { openMonthStore } from './months/store/months.pg.js';
import { makeCloseMonth } from './months/usecase/close-month.js';
import { makeListStatements } from './months/usecase/list-statements.js';
import { implementReportService } from './reports/rpc/reports.js';
import { openCountStore } from './reports/store/counts.pg.js';
import type { CountStore } from './reports/store/counts.js';
import { openReportStore } from './reports/store/report.pg.js';
import { makeGetReport } from './reports/usecase/get-report.js';
import { makeReportErrors } from './reports/usecase/report-errors.js';
import { makeReportServing } from './reports/usecase/report-serving.js';
import { implementRewardService } from './rewards/rpc/rewards.js';
import { openRewardStore } from './rewards/store/rewards.pg.js';
import { makeHandOverRewards } from './rewards/usecase/hand-over-rewards.js';
import { implementStoryService } from './story/rpc/story.js';
import { openStoryStore } from './story/store/stories.pg.js';
import { makeGetStory } from './story/usecase/get-story.js';
import { openSettlementStore } from './settlement/store/settlement.pg.js';
import { openPostgresBreakers, TRANSACTION_MS_MAX } from './store/postgres-breakers.js';
import { openTrafficStore } from './traffic/store/traffic.pg.js';
import { makeGetTrafficCurves } from './traffic/usecase/get-traffic-curves.js';
import { openVerificationStore } from './verification/store/verification.pg.js';
import { makeVerifyLedger } from './verification/usecase/verify-ledger.js';
import { makeVerifyRows } from './verification/usecase/verify-rows.js';

/**
 * Longest that a stalled process keeps its locks on leases and sums. Exchanges of leases and bookings that are cut off are
 * sent again.
 */
const IDLE_TRANSACTION_MS = 1_000;
/** Reports and verifications may run longer than an event may wait. */
const REPORT_STATEMENT_MS = 60_000;
/** One statement of the check from the rows. It is shorter than the longest life of a connection. */
const ROWS_STATEMENT_MS = 100_000;
const ROWS_POOL_MAX = 2;

/** Wires events-service and serves until the scope closes; returns its gRPC ports. */
export async function openApp(scope: Scope, config: ServiceConfig): Promise<WritingPorts> {
  await openMetricsServer(scope, { host: config.HOST, port: config.METRICS_PORT });
  const metrics = makeServiceMetrics(scope.metrics);
  const pool = openPostgres(scope, {
    ...databaseOf(config),
    poolMax: config.DATABASE_POOL_MAX,
    idleTransactionMs: IDLE_TRANSACTION_MS,
  });
  const reportPool = openReportPool(scope, config);
  const rowsPool = openRowsPool(scope, config);
  const postgres = openPostgresBreakers(scope);
  const counts = postgres.transactions.guard(TRANSACTION_MS_MAX, openCountStore(pool));
  const leases = postgres.transactions.guard(TRANSACTION_MS_MAX, openLeaseStore(pool));
  const rejections = openRejectionCounter(scope, { counts, metrics });
  const catalog = openCatalog(scope, {
    address: config.CONSOLE_SERVICE_ADDRESS,
    key: config.CATALOG_READ_KEY,
    cacheFile: config.CATALOG_CACHE_FILE === '' ? null : config.CATALOG_CACHE_FILE,
  });
  const fraud = openFraudClient(scope, config.FRAUD_SERVICE_ADDRESS);
  const events = openEvents({ scope, config, pool, postgres, leases, metrics, rejections, catalog, fraud });
  const explanations = openExplanationStore(reportPool);
  const services = [
    implementEventsService(events),
    ...openBooks({ scope, pool, reportPool, rowsPool, leases, counts, rejections }),
    implementReportService({
      getReport: makeGetReport(openReportStore(reportPool)),
      reportErrors: makeReportErrors(counts, catalog),
      countSuspicious: (query) => fraud.countSuspicious(query),
    }),
    implementRewardService(makeHandOverRewards(openRewardStore(pool))),
    implementStoryService(makeGetStory(openStoryStore(reportPool), fraud)),
    implementExplainService({
      recordRequests: makeRecordRequests(openExplanationStore(pool)),
      getFunnel: makeGetFunnel(explanations),
      getExplanation: makeGetExplanation(explanations),
    }),
  ];
  await catalog.begun();
  return openGrpcServer(scope, {
    host: config.HOST,
    port: config.GRPC_PORT,
    writePort: config.WRITE_GRPC_PORT,
    services,
    keys: { LEDGER_WRITE_KEY: config.LEDGER_WRITE_KEY },
  });
}

function openReportPool(scope: Scope, config: ServiceConfig): Pool {
  const poolMax = config.DATABASE_REPORT_POOL_MAX;
  return openLongPool(scope, 'reports', {
    ...databaseOf(config),
    poolMax,
    statementTimeoutMs: REPORT_STATEMENT_MS,
  });
}

function openRowsPool(scope: Scope, config: ServiceConfig): Pool {
  return openLongPool(scope, 'checks from the rows', {
    ...databaseOf(config),
    poolMax: ROWS_POOL_MAX,
    statementTimeoutMs: ROWS_STATEMENT_MS,
  });
}

function openLongPool(scope: Scope, name: string, options: PostgresOptions): Pool {
  const pool = makePool(options, (error) =>
    scope.once(makeSampledLog).warn({ reason: error.message }, 'postgres connection lost'),
  );
  watchPool(scope, pool, name);
  scope.onClose(`postgres pool: ${name}`, () => pool.end());
  return pool;
}

interface BooksDeps {
  readonly scope: Scope;
  readonly pool: Pool;
  readonly reportPool: Pool;
  readonly rowsPool: Pool;
  readonly leases: LeaseStore;
  readonly counts: CountStore;
  readonly rejections: RejectionCounter;
}

function openBooks(deps: BooksDeps): readonly ImplementedService[] {
  const { scope, pool, reportPool, rowsPool, leases, counts, rejections } = deps;
  const { clock } = scope;
  const books = openVerificationStore(reportPool, rowsPool);
  const ledger = openLedgerStore(pool);
  const months = openMonthStore(reportPool);
  return [
    implementSpendService({
      exchangeLeases: makeExchangeLeases(leases, clock),
      reportServing: makeReportServing(counts),
      getTrafficCurves: makeGetTrafficCurves(openTrafficStore(pool)),
    }),
    implementLedgerService({
      recordDeposit: makeRecordDeposit(ledger, clock),
      recordAdjustment: makeRecordAdjustment(ledger, clock),
      recordTransfer: makeRecordTransfer(ledger, clock),
      closeMonth: makeCloseMonth(months, clock),
      listStatements: makeListStatements(months),
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
    implementDeliveryService(makeGetDelivery(openDeliveryStore(reportPool))),
  ];
}
