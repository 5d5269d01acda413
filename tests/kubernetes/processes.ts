import { readLifecycleConfig } from '@placard/service-kit';
import { readConsoleConfig } from '../../console-service/src/config.js';
import { readServiceConfig, readWorkerConfig } from '../../events-service/src/config.js';
import { readFraudConfig } from '../../fraud-service/src/config.js';
import { readGatewayConfig } from '../../gateway/src/config.js';
import { readServingConfig } from '../../serving-service/src/config.js';
import { readSessionConfig } from '../../session-service/src/config.js';

/** Settings as a process has read them. */
export type Settings = Readonly<Record<string, unknown>>;
/** Reads the settings of a process; throws a sentence that names what is wrong. */
export type ReadSettings = (environment: NodeJS.ProcessEnv) => Settings;

/** How each process reads its own settings, by the name of its Deployment. */
export const processes: Readonly<Record<string, ReadSettings>> = {
  gateway: readGatewayConfig,
  'session-service': readSessionConfig,
  'serving-service': readServingConfig,
  'events-service': readServiceConfig,
  'settlement-worker': readWorkerConfig,
  'fraud-service': readFraudConfig,
  'console-service': readConsoleConfig,
};

const KEY_BYTES = 32;
/** What a Secret may hold, by the setting that it is for: nothing secret. */
const SAMPLES: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://placard_service:password@postgres.example.com:5432/placard',
  REDIS_URL: 'redis-cluster://redis-0.example.com:6379,redis-1.example.com:6379',
  SESSION_TOKEN_KEYS: `k1:${Buffer.alloc(KEY_BYTES, 1).toString('base64url')}`,
  IMPRESSION_TOKEN_KEYS: `k1:${Buffer.alloc(KEY_BYTES, 2).toString('base64url')}`,
  NETWORK_HASH_KEY: 'sixteen characters',
};

/** Settings that are secret: they come from Secrets only. */
export const secretSettings: ReadonlySet<string> = new Set(Object.keys(SAMPLES));

/** A fitting value for a setting that comes from a Secret; empty for one that is not secret. */
export function sampleOf(setting: string): string {
  return SAMPLES[setting] ?? '';
}

/** Names of all settings that a process reads, its lifecycle included. */
export function settingNames(read: ReadSettings): ReadonlySet<string> {
  const names = new Set<string>();
  const recorder = new Proxy<NodeJS.ProcessEnv>(
    {},
    {
      get: (_, name) => {
        names.add(String(name));
        return undefined;
      },
    },
  );
  for (const reader of [read, readLifecycleConfig as ReadSettings]) {
    try {
      reader(recorder);
    } catch {
      // Settings that must be set are missing; their names are known all the same.
    }
  }
  return names;
}
