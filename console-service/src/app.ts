import { openGrpcServer, openMetricsServer, openPostgres, type Scope } from '@placard/service-kit';
import { openLedger, type Ledger } from './accounts/clients/ledger.js';
import { openReports } from './reports/clients/reports.js';
import type { Config } from './config.js';
import { CATALOG_MESSAGE_BYTES_MAX } from './catalog/domain/catalog-bytes.js';
import { keepBooking } from './accounts/open-booking.js';
import { keepFeedFresh } from './catalog/open-catalog-feed.js';
import { implementCatalogService } from './catalog/rpc/catalog-handlers.js';
import { implementConsoleService } from './rpc/console-handlers.js';
import { makeCreativeFiles } from './routes/creative-files.js';
import { openHttpServer } from './routes/http-server.js';
import { makePgCatalogStore } from './catalog/store/catalog-store.pg.js';
import type { FundsBook } from './accounts/store/funds-book.js';
import { openPgChangeSignal } from './catalog/store/change-signal.pg.js';
import { makePgFundsBook } from './accounts/store/funds-book.pg.js';
import { makeAdjust } from './accounts/usecase/adjust.js';
import { makeApplyCatalog } from './catalog/usecase/apply-catalog.js';
import { bookTogether, makeBookUnbooked, type BookUnbooked } from './accounts/usecase/book-unbooked.js';
import { CatalogFeed } from './catalog/usecase/catalog-feed.js';
import { makeDeposit } from './accounts/usecase/deposit.js';
import { makeExportCatalog } from './catalog/usecase/export-catalog.js';
import { makeGetBalances } from './accounts/usecase/get-balances.js';
import { makeGetReport } from './reports/usecase/get-report.js';
import { makeGetStatement } from './accounts/usecase/get-statement.js';
import { makeVerifyBookRows } from './accounts/usecase/verify-book-rows.js';
import { makeVerifyBooks } from './accounts/usecase/verify-books.js';

const POOL_MAX = 8;
/** A catalog of 100,000 campaigns is written in statements of several seconds. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** Where console-service listens. */
export interface ConsolePorts {
  readonly grpcPort: number;
  readonly httpPort: number;
}

/** Opens console-service: the catalog and its readers, the operators' calls, and the creative files. */
export async function openApp(scope: Scope, config: Config): Promise<ConsolePorts> {
  await openMetricsServer(scope, { host: config.HOST, port: config.METRICS_PORT });
  const pool = openPostgres(scope, {
    url: config.DATABASE_URL,
    poolMax: POOL_MAX,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  const store = makePgCatalogStore(pool);
  const book = makePgFundsBook(pool);
  const ledger = openLedger(scope, config.EVENTS_SERVICE_ADDRESS);
  const feed = new CatalogFeed(store, scope.log);
  const bookUnbooked = keepBooking(scope, wireBooking(scope, book, ledger));
  keepFeedFresh(scope, feed, openPgChangeSignal(scope, pool));
  const services = [
    implementCatalogService(feed),
    implementConsoleService({
      applyCatalog: makeApplyCatalog(store, scope.clock),
      exportCatalog: makeExportCatalog(store),
      makeDeposit: makeDeposit(store, scope.clock),
      adjust: makeAdjust(store, scope.clock),
      getBalances: makeGetBalances(store, ledger, bookUnbooked),
      getStatement: makeGetStatement(store, ledger, bookUnbooked),
      verifyBooks: makeVerifyBooks({ book, ledger, bookUnbooked, clock: scope.clock }),
      verifyBookRows: makeVerifyBookRows(ledger),
      getReport: makeGetReport(openReports(scope, config.EVENTS_SERVICE_ADDRESS), scope.clock),
    }),
  ];
  const grpc = await openGrpcServer(scope, {
    host: config.HOST,
    port: config.GRPC_PORT,
    services,
    messageBytesMax: CATALOG_MESSAGE_BYTES_MAX,
  });
  const http = await openHttpServer(scope, makeCreativeFiles(), {
    host: config.HOST,
    port: config.HTTP_PORT,
  });
  return { grpcPort: grpc.port, httpPort: http.port };
}

function wireBooking(scope: Scope, { deposits, adjustments }: FundsBook, ledger: Ledger): BookUnbooked {
  const { clock, log } = scope;
  return bookTogether([
    makeBookUnbooked({
      ...{ what: 'deposit', clock, log },
      readUnbooked: (countMax) => deposits.readUnbooked(countMax),
      record: (deposit) => ledger.recordDeposit(deposit),
      markBooked: (references, atMs) => deposits.markBooked(references, atMs),
    }),
    makeBookUnbooked({
      ...{ what: 'adjustment', clock, log },
      readUnbooked: (countMax) => adjustments.readUnbooked(countMax),
      record: (adjustment) => ledger.recordAdjustment(adjustment),
      markBooked: (references, atMs) => adjustments.markBooked(references, atMs),
    }),
  ]);
}
