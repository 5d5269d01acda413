import {
  baseShape,
  databaseShape,
  env,
  readConfig,
  redisShape,
  storesNeedTls,
  type ConfigOf,
} from '@placard/service-kit';
import { KEY_FORM, readKeyText } from './access/domain/api-key.js';

const shape = {
  ...baseShape({ grpcPort: 50_055, metricsPort: 9_085 }),
  /** Serves the management API, for operators and the gateway. */
  MANAGE_PORT: env.int({ min: 0, max: 65_535, default: 8_086 }),
  HTTP_PORT: env.int({ min: 0, max: 65_535, default: 8_085 }),
  ...databaseShape,
  /** An API key with the role `admin` that this process accepts without another one having created it. */
  BOOTSTRAP_KEY: env
    .text()
    .refine((text) => readKeyText(text) !== null, `must be ${KEY_FORM}`)
    .optional(),
  /** What a reader of the catalog must send, where there are no certificates. */
  CATALOG_READ_KEY: env.sharedKey(),
  /** What this process sends with its bookings. */
  LEDGER_WRITE_KEY: env.sharedKey(),
  /** ISO 4217. The currency of all amounts, which must stay the same after the first booking. */
  CURRENCY: env.currency('USD'),
  ...redisShape,
  EVENTS_SERVICE_ADDRESS: env.address('127.0.0.1:50053'),
  /** The port of events-service that serves the writing methods of LedgerService. */
  EVENTS_SERVICE_WRITE_ADDRESS: env.address('127.0.0.1:50056'),
  SERVING_SERVICE_ADDRESS: env.address('127.0.0.1:50052'),
};

/** Settings of console-service. */
export type Config = ConfigOf<typeof shape>;

/** Reads the settings; throws one `ConfigError` that names every fault. */
export function readConsoleConfig(environment: NodeJS.ProcessEnv): Config {
  return readConfig(shape, environment, [storesNeedTls]);
}
