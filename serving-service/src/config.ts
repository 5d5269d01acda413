import { baseShape, CLUSTER_SCHEME, type ConfigOf, env, readConfig, redisUrl } from '@placard/service-kit';

const DAY_SECONDS = 86_400;
const SHARDS_MAX = 1_024;
/** Hash tags over which a cluster spreads advertisers, unless the operator says otherwise. */
const CLUSTER_SHARDS = 64;

const shape = {
  ...baseShape({ grpcPort: 50_052, metricsPort: 9_082 }),
  REDIS_URL: redisUrl,
  SESSION_TOKEN_KEYS: env.keyRing(),
  IMPRESSION_TOKEN_KEYS: env.keyRing(),
  AD_TTL_SECONDS: env.int({ min: 1, max: DAY_SECONDS, default: 1_800 }),
  /** Hash tags over which budgets are spread; not set: 1 on one Redis, 64 on a cluster. */
  BUDGET_SHARDS: env.int({ min: 1, max: SHARDS_MAX }).optional(),
  CONSOLE_SERVICE_ADDRESS: env.address('127.0.0.1:50055'),
  EVENTS_SERVICE_ADDRESS: env.address('127.0.0.1:50053'),
  FRAUD_SERVICE_ADDRESS: env.address('127.0.0.1:50054'),
  /** Path of the catalog's last snapshot, for a start without console-service; empty: none. */
  CATALOG_CACHE_FILE: env.text({ default: '' }),
};

/** Settings of serving-service. */
export type Config = ConfigOf<typeof shape>;

/** Reads the settings; throws one `ConfigError` that names every fault. */
export function readServingConfig(environment: NodeJS.ProcessEnv): Config {
  return readConfig(shape, environment);
}

/** Hash tags over which budgets are spread. All replicas must agree. */
export function budgetShards(config: Pick<Config, 'BUDGET_SHARDS' | 'REDIS_URL'>): number {
  if (config.BUDGET_SHARDS !== undefined) return config.BUDGET_SHARDS;
  return config.REDIS_URL.startsWith(CLUSTER_SCHEME) ? CLUSTER_SHARDS : 1;
}
