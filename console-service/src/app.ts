import { openMetricsServer, type Scope } from '@placard/service-kit';
import { openGrpcServer } from '@placard/service-kit/grpc';
import { openPostgres } from '@placard/service-kit/postgres';
import { openAccounts } from './accounts/open-accounts.js';
import { CATALOG_MESSAGE_BYTES_MAX } from './catalog/domain/catalog-bytes.js';
import { openCatalog } from './catalog/open-catalog.js';
import { implementCatalogService } from './catalog/rpc/catalog-handlers.js';
import type { Config } from './config.js';
import { openReports } from './reports/clients/reports.js';
import { makeGetReport } from './reports/usecase/get-report.js';
import { makeCreativeFiles } from './routes/creative-files.js';
import { openHttpServer } from './routes/http-server.js';
import { implementConsoleService } from './rpc/console-handlers.js';

const POOL_MAX = 8;
/** The statements that write a catalog of 100,000 campaigns take several seconds. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** The ports of console-service. */
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
  const eventsAddress = config.EVENTS_SERVICE_ADDRESS;
  const catalog = openCatalog(scope, pool);
  const accounts = openAccounts(scope, { pool, store: catalog.store, ledgerAddress: eventsAddress });
  const fetchReport = openReports(scope, eventsAddress);
  const getReport = makeGetReport({ fetchReport, clock: scope.clock });
  const grpc = await openGrpcServer(scope, {
    host: config.HOST,
    port: config.GRPC_PORT,
    services: [
      implementCatalogService(catalog.feed),
      implementConsoleService({ catalog, accounts, getReport }),
    ],
    messageBytesMax: CATALOG_MESSAGE_BYTES_MAX,
  });
  const http = await openHttpServer(scope, makeCreativeFiles(), {
    host: config.HOST,
    port: config.HTTP_PORT,
  });
  return { grpcPort: grpc.port, httpPort: http.port };
}
