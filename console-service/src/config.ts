import { baseShape, databaseUrl, env, readConfig, type ConfigOf } from '@placard/service-kit';

const shape = {
  ...baseShape({ grpcPort: 50_055, metricsPort: 9_085 }),
  HTTP_PORT: env.int({ min: 0, max: 65_535, default: 8_085 }),
  DATABASE_URL: databaseUrl,
  EVENTS_SERVICE_ADDRESS: env.address('127.0.0.1:50053'),
};

/** Settings of console-service. */
export type Config = ConfigOf<typeof shape>;

/** Reads the settings; throws one `ConfigError` that names every fault. */
export function readConsoleConfig(environment: NodeJS.ProcessEnv): Config {
  return readConfig(shape, environment);
}
