import { chownSync, chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { listen } from '../src/http/listen.js';
import { makeTestAuthority, type TestAuthority } from '../src/testing/certificates.js';
import { openTestRedis } from '../src/testing/stores.js';

/** Name in the certificates of the stores, besides 127.0.0.1. */
export const SERVER_NAME = 'store.placard.test';
/** Names in the certificate of a store from its opening on. */
export const STORE_NAMES = [SERVER_NAME, '127.0.0.1'] as const;

/** Files of certificates for one test file. */
export interface TlsFiles {
  readonly authority: TestAuthority;
  /** The authority of the stores, and one that has signed nothing. */
  readonly caFile: string;
  readonly otherCaFile: string;
  /** Path of a new file. */
  at(name: string): string;
  remove(): void;
}

/** Makes a folder with the certificates of two authorities. */
export async function makeTlsFiles(): Promise<TlsFiles> {
  const dir = mkdtempSync(path.join(tmpdir(), 'placard-tls-stores-'));
  // The user that runs Postgres must be able to enter it.
  chmodSync(dir, 0o711);
  const at = (name: string): string => path.join(dir, name);
  const authority = await makeTestAuthority();
  writeFileSync(at('ca.crt'), authority.ca);
  writeFileSync(at('other-ca.crt'), (await makeTestAuthority('another authority')).ca);
  return {
    authority,
    caFile: at('ca.crt'),
    otherCaFile: at('other-ca.crt'),
    at,
    remove: () => rmSync(dir, { recursive: true }),
  };
}

/** A store of the tests that also takes connections with TLS. */
export interface TlsStore {
  readonly port: number;
  /** Gives the store a certificate of another authority. */
  use(authority: TestAuthority, names: readonly string[]): Promise<void>;
  /** Switches TLS off again. */
  close(): Promise<void>;
}

/** Switches TLS on in the Postgres of the tests. */
export async function openTlsPostgres(files: TlsFiles): Promise<TlsStore> {
  const url = process.env['TEST_DATABASE_URL'] ?? '';
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
  const { uid, gid } = statSync(rows[0]?.data_directory ?? '');
  const apply = async (statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await client.query(`ALTER SYSTEM ${statement}`);
    await client.query('SELECT pg_reload_conf()');
  };
  let count = 0;
  const use = async (authority: TestAuthority, names: readonly string[]): Promise<void> => {
    count += 1;
    const { certFile, keyFile } = await authority.issueTo(files.at(`postgres-${count}`), { names });
    if (process.getuid?.() === 0) chownSync(keyFile, uid, gid);
    await apply([`SET ssl_cert_file = '${certFile}'`, `SET ssl_key_file = '${keyFile}'`, 'SET ssl = on']);
  };
  await use(files.authority, STORE_NAMES);
  return {
    port: Number(new URL(url).port),
    use,
    async close() {
      await apply(['RESET ssl', 'RESET ssl_cert_file', 'RESET ssl_key_file']);
      await client.end();
    },
  };
}

/** Opens a port with TLS at the Redis of the tests. */
export async function openTlsRedis(files: TlsFiles): Promise<TlsStore> {
  const { redis } = await openTestRedis();
  const port = await freePort();
  const folder = files.at('redis');
  const set = async (settings: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, value] of Object.entries(settings)) await redis.config('SET', name, value);
  };
  const use = async (authority: TestAuthority, names: readonly string[]): Promise<void> => {
    await authority.issueTo(folder, { names });
    // A change of a setting of TLS makes Redis read the files again.
    const [, size] = (await redis.config('GET', 'tls-session-cache-size')) as readonly string[];
    await set({ 'tls-session-cache-size': String(Number(size) + 1) });
  };
  const { certFile, keyFile, caFile } = await files.authority.issueTo(folder, { names: STORE_NAMES });
  await set({
    'tls-auth-clients': 'no',
    'tls-ca-cert-file': caFile,
    'tls-cert-file': certFile,
    'tls-key-file': keyFile,
    'tls-port': String(port),
  });
  // The Redis may have had TLS before.
  await use(files.authority, STORE_NAMES);
  return {
    port,
    use,
    async close() {
      await redis.config('SET', 'tls-port', '0');
      redis.disconnect();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.close(resolve));
  return port;
}
