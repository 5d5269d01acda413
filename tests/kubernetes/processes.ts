import { services } from '@placard/local';
import { readLifecycleConfig } from '@placard/service-kit';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rootCertificates } from 'node:tls';

/** The settings that a process has read. */
export type Settings = Readonly<Record<string, unknown>>;
/** Reads the settings of a process; throws one sentence that names the faults. */
export type ReadSettings = (environment: NodeJS.ProcessEnv) => Settings;

/** The settings reader of each process, by name of its Deployment. */
export const processes: Readonly<Record<string, ReadSettings>> = Object.fromEntries(
  await Promise.all(
    services.map(async ({ name, service, reader }) => [name, await readerOf(service, reader)] as const),
  ),
);

async function readerOf(service: string, reader: string): Promise<ReadSettings> {
  const module = (await import(`../../${service}/src/config.js`)) as Readonly<Record<string, ReadSettings>>;
  const read = module[reader];
  if (read === undefined) throw new Error(`the config module of ${service} has no ${reader}`);
  return read;
}

const KEY_BYTES = 32;
/** Sample values of secret settings. */
const SAMPLES: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://placard_service:password@postgres.example.com:5432/placard?sslmode=verify-full',
  REDIS_URL: 'rediss-cluster://user:password@redis-0.example.com:6379,redis-1.example.com:6379',
  SESSION_TOKEN_KEYS: `k1:${Buffer.alloc(KEY_BYTES, 1).toString('base64url')}`,
  IMPRESSION_TOKEN_KEYS: `k1:${Buffer.alloc(KEY_BYTES, 2).toString('base64url')}`,
  NETWORK_HASH_KEY: 'sixteen characters',
  BOOTSTRAP_KEY: `plk_${'1'.repeat(16)}_${'2'.repeat(64)}`,
  CATALOG_READ_KEY: '3'.repeat(64),
  LEDGER_WRITE_KEY: '4'.repeat(64),
};

/** Secret settings. They come only from Secrets. */
export const secretSettings: ReadonlySet<string> = new Set(Object.keys(SAMPLES));

/** Settings that name a file of authorities, which the reader of the settings reads. */
export const authorityFiles: ReadonlySet<string> = new Set(['DATABASE_CA_FILE', 'REDIS_CA_FILE']);

const AUTHORITY_FILE = path.join(tmpdir(), 'placard-authority-of-tests.crt');
writeFileSync(AUTHORITY_FILE, rootCertificates[0] ?? '');

/** A valid sample value of a secret setting or of a file of authorities; empty for other settings. */
export function sampleOf(setting: string): string {
  return authorityFiles.has(setting) ? AUTHORITY_FILE : (SAMPLES[setting] ?? '');
}

/** Names of all settings that a process reads, including those of its lifecycle. */
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
      // Required settings are missing. Their names were read nevertheless.
    }
  }
  return names;
}
