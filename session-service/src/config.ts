import { baseShape, env, readConfig, type ConfigOf } from '@placard/service-kit';
import { keyRingSetting } from '@placard/service-kit/tokens';

const DAY_SECONDS = 86_400;

const shape = {
  ...baseShape({ grpcPort: 50_051, metricsPort: 9_081 }),
  SESSION_TOKEN_KEYS: keyRingSetting(),
  SESSION_TTL_SECONDS: env.int({ min: 1, max: DAY_SECONDS, default: 3_600 }),
  CONSOLE_SERVICE_ADDRESS: env.address('127.0.0.1:50055'),
  /** What console-service wants from readers of the catalog. */
  CATALOG_READ_KEY: env.sharedKey(),
  FRAUD_SERVICE_ADDRESS: env.address('127.0.0.1:50054'),
  /** File of the last snapshot of the catalog, for a start without console-service. Empty: no file. */
  CATALOG_CACHE_FILE: env.text({ default: '' }),
};

/** Settings of session-service. */
export type Config = ConfigOf<typeof shape>;

/** Reads the settings; throws one `ConfigError` that names every fault. */
export function readSessionConfig(environment: NodeJS.ProcessEnv): Config {
  return readConfig(shape, environment);
}
