import { openMetricsServer, type Scope } from '@placard/service-kit';
import { openCatalog } from '@placard/service-kit/catalog-reader';
import { openGrpcServer, type ImplementedService } from '@placard/service-kit/grpc';
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
import { makeExchangeLeases } from './budgets/usecase/exchange-leases.js';
import type { ServiceConfig } from './config.js';
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
import { makeServiceMetrics } from './metrics.js';
import { implementReportService } from './reports/rpc/reports.js';
import { openCountStore } from './reports/store/counts.pg.js';
import { openReportStore } from './reports/store/report.pg.js';
import { makeGetReport } from './reports/usecase/get-report.js';
import { makeReportServing } from './reports/usecase/report-serving.js';
import { openSettlementStore } from './settlement/store/settlement.pg.js';
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

/** Wires events-service and serves until the scope closes; returns the gRPC port. */
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
    scope.log.warn({ reason: error.message }, 'postgres connection lost'),
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
  readonly rejections: RejectionCounter;
}

function openBooks(deps: BooksDeps): readonly ImplementedService[] {
  const { scope, pool, reportPool, rowsPool, rejections } = deps;
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
