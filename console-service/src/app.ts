import { databaseOf, openMetricsServer, redisOf, type Scope } from '@placard/service-kit';
import type { PostCallbackOptions } from '@placard/service-kit/callbacks';
import { openGrpcServer } from '@placard/service-kit/grpc';
import { openPostgres, type Pool } from '@placard/service-kit/postgres';
import { readKeyText } from './access/domain/api-key.js';
import { openAccess } from './access/open-access.js';
import { accessRoutes } from './access/routes/access-routes.js';
import { openAccounts } from './accounts/open-accounts.js';
import { openCurrency } from './accounts/open-currency.js';
import { accountsRoutes } from './accounts/routes/accounts-routes.js';
import { payoutRoutes } from './accounts/routes/payout-routes.js';
import { keepCurrency } from './accounts/store/currency.pg.js';
import { auditRoutes } from './audit/routes/audit-routes.js';
import { makePgAudit } from './audit/store/audit.pg.js';
import { makeReadAudit } from './audit/usecase/read-audit.js';
import { openCatalog } from './catalog/open-catalog.js';
import { campaignRoutes } from './catalog/routes/campaign-routes.js';
import { catalogRoutes } from './catalog/routes/catalog-routes.js';
import { implementCatalogService } from './catalog/rpc/catalog-handlers.js';
import type { Config } from './config.js';
import { openExplain } from './explain/open-explain.js';
import { openForecastFigures } from './forecast/clients/forecast-figures.js';
import { forecastRoutes } from './forecast/routes/forecast-routes.js';
import { makeForecastCampaign } from './forecast/usecase/forecast-campaign.js';
import { openSuspicious } from './fraud/clients/suspicious.js';
import { fraudRoutes } from './fraud/routes/fraud-routes.js';
import { makeListSuspiciousEvents } from './fraud/usecase/list-suspicious-events.js';
import { makeCatalogView } from './health/make-catalog-view.js';
import { openHealth } from './health/open-health.js';
import { healthRoutes } from './health/routes/health-routes.js';
import { historyRoutes } from './history/routes/history-routes.js';
import { openManage } from './manage/open-manage.js';
import { openObjects } from './objects/open-objects.js';
import { openAcceptedRewards } from './rewards/clients/accepted-rewards.js';
import { openRewards } from './rewards/open-rewards.js';
import { rewardsRoutes } from './rewards/routes/rewards-routes.js';
import { openReports } from './reports/clients/reports.js';
import { reportRoutes } from './reports/routes/report-routes.js';
import { makePgReportObjects } from './reports/store/report-objects.pg.js';
import { makeGetReport } from './reports/usecase/get-report.js';
import { openHttpServer } from './routes/http-server.js';
import { makePublicApp } from './routes/public-app.js';
import { openStory } from './story/open-story.js';
import { storyRoutes } from './story/routes/story-routes.js';
import { userRoutes } from './users/routes/user-routes.js';
import { openWebhooks } from './webhooks/open-webhooks.js';
import { webhooksRoutes } from './webhooks/routes/webhooks-routes.js';

const POOL_MAX = 8;
/** The statements that write a catalog of 100,000 campaigns take several seconds. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** The ports of console-service. */
export interface ConsolePorts {
  readonly grpcPort: number;
  readonly managePort: number;
  readonly httpPort: number;
}

/**
 * Opens console-service: the catalog and its readers, the operators' calls, the health of delivery with its webhooks, the
 * callbacks of rewards, and the creative files. `callbacks`: which addresses webhooks and callbacks may have.
 */
export async function openApp(
  scope: Scope,
  config: Config,
  callbacks: PostCallbackOptions = {},
): Promise<ConsolePorts> {
  const { HOST: host, EVENTS_SERVICE_ADDRESS: eventsAddress, CURRENCY: currency } = config;
  await openMetricsServer(scope, { host, port: config.METRICS_PORT });
  const pool = openPostgres(scope, {
    ...databaseOf(config),
    poolMax: POOL_MAX,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  await openCurrency(scope, () => keepCurrency(pool, currency));
  const catalog = openCatalog(scope, pool, callbacks);
  const accounts = openAccounts(scope, {
    pool,
    store: catalog.store,
    ledgerAt: {
      address: eventsAddress,
      writeAddress: config.EVENTS_SERVICE_WRITE_ADDRESS,
      writeKey: config.LEDGER_WRITE_KEY,
    },
    currency,
  });
  const reporting = openReporting(scope, { pool, config });
  const { webhooks, rewards, publicApp } = openCallbacks(scope, { pool, config, callbacks });
  const readCatalog = makeCatalogView(catalog.feed);
  const explain = openExplain(scope, { pool, config });
  const getHealth = openHealth(scope, {
    pool,
    readCatalog,
    eventsAddress,
    fetchReport: reporting.fetchReport,
    explanations: explain.explanations,
    onNotices: webhooks.sendNew,
  });
  const forecastCampaign = makeForecastCampaign({
    ...openForecastFigures(scope, eventsAddress),
    readCatalog,
    clock: scope.clock,
  });
  const grpc = await openGrpcServer(scope, {
    host,
    port: config.GRPC_PORT,
    services: [implementCatalogService(catalog.feed)],
    keys: { CATALOG_READ_KEY: config.CATALOG_READ_KEY },
  });
  const access = openAccess(scope, { pool, bootstrapKey: readKeyText(config.BOOTSTRAP_KEY ?? '') });
  const routes = {
    ...accessRoutes(access),
    ...userRoutes(access.users),
    ...auditRoutes(makeReadAudit(makePgAudit(pool))),
    ...catalogRoutes({ ...catalog, clock: scope.clock }),
    ...campaignRoutes(catalog),
    ...openObjects(scope, { pool, ...catalog }),
    ...historyRoutes(catalog),
    ...accountsRoutes({ ...accounts, currency }),
    ...payoutRoutes({ ...accounts, currency }),
    ...reporting.routes,
    ...storyRoutes({ traceRequest: openStory(scope, { pool, eventsAddress, ...explain }), currency }),
    ...healthRoutes({ getHealth, currency }),
    ...webhooksRoutes(webhooks),
    ...rewardsRoutes(rewards),
    ...forecastRoutes({ forecastCampaign, currency }),
    ...explain.routes,
  };
  const manage = await openManage(scope, { pool, access, routes }, { host, port: config.MANAGE_PORT });
  const http = await openHttpServer(scope, publicApp, { host, port: config.HTTP_PORT });
  return { grpcPort: grpc.port, managePort: manage.port, httpPort: http.port };
}

/** What {@link openReporting} needs. */
interface ReportingDeps {
  readonly pool: Pool;
  readonly config: Config;
}

/** Opens the reports of counts, money and suspicious events. */
function openReporting(scope: Scope, { pool, config }: ReportingDeps) {
  const { EVENTS_SERVICE_ADDRESS: eventsAddress, CURRENCY: currency } = config;
  const { clock } = scope;
  const fetchReport = openReports(scope, eventsAddress);
  const objects = makePgReportObjects(pool);
  const getReport = makeGetReport({ fetchReport, objects, clock });
  const fetchSuspicious = openSuspicious(scope, eventsAddress);
  const listSuspicious = makeListSuspiciousEvents({ fetchSuspicious, objects, clock });
  return {
    fetchReport,
    routes: { ...reportRoutes({ getReport, currency }), ...fraudRoutes(listSuspicious) },
  };
}

/** What {@link openCallbacks} needs. */
interface CallbacksDeps {
  readonly pool: Pool;
  readonly config: Config;
  readonly callbacks: PostCallbackOptions;
}

/** Opens what is sent to others, with one set of signing keys, and what publishes the keys. */
function openCallbacks(scope: Scope, { pool, config, callbacks }: CallbacksDeps) {
  const sending = { pool, redis: redisOf(config), callbacks };
  const webhooks = openWebhooks(scope, sending);
  const accepted = openAcceptedRewards(scope, config.EVENTS_SERVICE_ADDRESS);
  const rewards = openRewards(scope, { ...sending, signingKeys: webhooks.signingKeys, accepted });
  const publicApp = makePublicApp({ scope, signingKeys: webhooks.signingKeys });
  return { webhooks, rewards, publicApp };
}
