import { baseShape, type ConfigOf, env, readConfig, redisShape, storesNeedTls } from '@placard/service-kit';
import { keyRingSetting } from '@placard/service-kit/tokens';

const DAY_SECONDS = 86_400;
const OPEN_FILLS_MAX = 10_000;

const shape = {
  ...baseShape({ grpcPort: 50_052, metricsPort: 9_082 }),
  ...redisShape,
  SESSION_TOKEN_KEYS: keyRingSetting(),
  IMPRESSION_TOKEN_KEYS: keyRingSetting(),
  AD_TTL_SECONDS: env.int({ min: 1, max: DAY_SECONDS, default: 1_800 }),
  /** Most live fills of one session that are neither shown nor expired. 0: no limit. */
  OPEN_FILLS_MAX: env.int({ min: 0, max: OPEN_FILLS_MAX, default: 30 }),
  /** The share of live ad requests that are explained. Contract: docs/contract/explanations.md#sample. */
  EXPLAIN_SAMPLE: env.share({ default: 0.01 }),
  CONSOLE_SERVICE_ADDRESS: env.address('127.0.0.1:50055'),
  /** What console-service wants from readers of the catalog. */
  CATALOG_READ_KEY: env.sharedKey(),
  EVENTS_SERVICE_ADDRESS: env.address('127.0.0.1:50053'),
  FRAUD_SERVICE_ADDRESS: env.address('127.0.0.1:50054'),
  /** File of the last snapshot of the catalog, for a start without console-service. Empty: no file. */
  CATALOG_CACHE_FILE: env.text({ default: '' }),
};

/** Settings of serving-service. */
export type Config = ConfigOf<typeof shape>;

/** Reads the settings; throws one `ConfigError` that names every fault. */
export function readServingConfig(environment: NodeJS.ProcessEnv): Config {
  return readConfig(shape, environment, [storesNeedTls]);
}
