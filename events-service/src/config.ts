import {
  baseShape,
  databaseShape,
  env,
  readConfig,
  redisShape,
  storesNeedTls,
  type ConfigOf,
} from '@placard/service-kit';
import { keyRingSetting } from '@placard/service-kit/tokens';

const PORT_MAX = 65_535;
const POOL_MAX = 200;
const DAY_SECONDS = 86_400;
const GROUP_ROWS_MAX = 1_000;
/**
 * An event belongs to the day of its fill. The ad and the click window after it may last a day each. With one more day at
 * both ends, no event that can still arrive belongs to a dropped day.
 */
const KEPT_DAYS_MIN = 4;
const KEPT_DAYS_MAX = 36_500;

const stores = { ...databaseShape, ...redisShape };

const serviceShape = {
  ...baseShape({ grpcPort: 50_053, metricsPort: 9_083 }),
  /** Serves LedgerService with its writing methods. */
  WRITE_GRPC_PORT: env.int({ min: 0, max: PORT_MAX, default: 50_056 }),
  /** What a caller of a writing method must send, where there are no certificates. */
  LEDGER_WRITE_KEY: env.sharedKey(),
  ...stores,
  /** Connections for events. They bound how many groups are written at the same time. */
  DATABASE_POOL_MAX: env.int({ min: 2, max: POOL_MAX, default: 10 }),
  /** Connections for reports and the verification of the books. */
  DATABASE_REPORT_POOL_MAX: env.int({ min: 1, max: POOL_MAX, default: 4 }),
  SESSION_TOKEN_KEYS: keyRingSetting(),
  IMPRESSION_TOKEN_KEYS: keyRingSetting(),
  /** How long after an ad's expiry clicks and rewards are accepted. */
  EVENT_WINDOW_SECONDS: env.int({ min: 1, max: DAY_SECONDS, default: 3_600 }),
  FRAUD_SERVICE_ADDRESS: env.address('127.0.0.1:50054'),
  SERVING_SERVICE_ADDRESS: env.address('127.0.0.1:50052'),
  CONSOLE_SERVICE_ADDRESS: env.address('127.0.0.1:50055'),
  /** What console-service wants from readers of the catalog. */
  CATALOG_READ_KEY: env.sharedKey(),
  /** Empty: the catalog is kept in memory only. */
  CATALOG_CACHE_FILE: env.text({ default: '' }),
};

const workerShape = {
  HOST: serviceShape.HOST,
  METRICS_PORT: baseShape({ grpcPort: 0, metricsPort: 9_086 }).METRICS_PORT,
  ...stores,
  DATABASE_POOL_MAX: env.int({ min: 1, max: POOL_MAX, default: 4 }),
  /** Most events of one settlement transaction. */
  SETTLEMENT_ROWS_MAX: env.int({ min: 1, max: GROUP_ROWS_MAX, default: 500 }),
  /** How many days of events are kept behind the current one; reports and ledger are kept for ever. */
  EVENTS_KEPT_DAYS: env.int({ min: KEPT_DAYS_MIN, max: KEPT_DAYS_MAX, default: 35 }),
};

/** Settings of events-service. */
export type ServiceConfig = ConfigOf<typeof serviceShape>;
/** Settings of the settlement worker. */
export type WorkerConfig = ConfigOf<typeof workerShape>;

/** Reads the settings of events-service; throws a `ConfigError` that names all faults. */
export function readServiceConfig(environment: NodeJS.ProcessEnv): ServiceConfig {
  return readConfig(serviceShape, environment, [storesNeedTls]);
}

/** Reads the settings of the settlement worker; throws a `ConfigError` that names all faults. */
export function readWorkerConfig(environment: NodeJS.ProcessEnv): WorkerConfig {
  return readConfig(workerShape, environment, [storesNeedTls]);
}
