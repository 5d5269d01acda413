import type { StoreAddress } from '@placard/service-kit';
import { connectionOf } from '@placard/service-kit/postgres';
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { DataFolder } from '../data-folder.js';
import { ManagedProcess, type Surroundings } from '../process/managed-process.js';
import { postgresNotice } from '../process/notice.js';
import { runCommand } from '../process/run-command.js';
import { failure, startAndWait } from '../readiness.js';
import { messageOf, StartError } from '../start-error.js';
import { findPostgres, type PostgresBinaries } from './postgres-binaries.js';
import { placePostgres, type PostgresPlace } from './postgres-place.js';
import { endLeftoverPostgres } from './postmaster-pid.js';

/** Options of a built-in store. */
export interface StoreOptions {
  readonly folder: DataFolder;
  readonly port: number;
  /** Folder for copies and downloads that every start can use. */
  readonly cacheDir: string;
  /** False only for throw-away data: no synchronous writes. */
  readonly isDurable: boolean;
}

/** A built-in store that answers. */
export interface RunningStore {
  readonly url: string;
  readonly process: ManagedProcess;
}

const USER = 'placard';
const DATABASE = 'placard';
/** Longest wait for the first answer, in milliseconds. Recovery after a crash replays the log. */
const READY_MS_MAX = 120_000;
/** Most attempts to start after a crash. The children of a killed server release its memory only after a moment. */
const SHARED_MEMORY_TRIES_MAX = 10;
const SHARED_MEMORY_WAIT_MS = 500;

/**
 * Starts the built-in Postgres on a data folder. The first start makes the cluster and the database. Works as root and as a
 * plain user. Throws a {@link StartError} when it cannot start.
 */
export async function startPostgres(
  options: StoreOptions & { readonly password: string },
  around: Surroundings,
): Promise<RunningStore> {
  const place = placePostgres(options.folder, around.say);
  const binaries = findPostgres(place.user, options.cacheDir);
  await endLeftoverPostgres(place.clusterDir);
  if (existsSync(place.clusterDir)) requireVersion(place, binaries);
  else await initialise(place, binaries, options.password, around);
  const server = makeProcess(options, place, binaries, around);
  const url = (database: string): string => urlOf(options, database);
  await untilAnswers(server);
  await ensureDatabase(url('postgres'));
  return { url: url(DATABASE), process: server };
}

function requireVersion(place: PostgresPlace, binaries: PostgresBinaries): void {
  const file = path.join(place.clusterDir, 'PG_VERSION');
  const found = existsSync(file) ? readFileSync(file, 'utf8').trim() : 'unknown';
  if (found === binaries.majorVersion) return;
  throw new StartError(
    `The data in ${place.clusterDir} was made by Postgres ${found}, and this release has ${binaries.majorVersion}. ` +
      'Use the release that made it, or start with a new data folder: npm start -- --data DIR',
  );
}

function urlOf(
  { password, port }: { readonly password: string; readonly port: number },
  database: string,
): string {
  return `postgres://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/** Makes the cluster in another folder and renames it, so that an interrupted first start leaves no partial cluster. */
async function initialise(
  place: PostgresPlace,
  binaries: PostgresBinaries,
  password: string,
  around: Surroundings,
): Promise<void> {
  const fresh = path.join(place.parentDir, 'new');
  const passwordFile = path.join(place.parentDir, 'password');
  rmSync(fresh, { recursive: true, force: true });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (place.user !== null) chownSync(passwordFile, place.user.uid, place.user.gid);
  const flags = [
    `--pgdata=${fresh}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The locale C is built into the server: the order of texts is the same on every system.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  const { status, errors } = await runCommand(around, {
    command: binaries.initdb,
    args: flags,
    cwd: '/',
    user: place.user,
  });
  rmSync(passwordFile, { force: true });
  if (status !== 0) {
    throw new StartError(`Postgres could not make its data in ${place.parentDir}: ${faultOf(errors)}`);
  }
  renameSync(fresh, place.clusterDir);
}

/** The line with the cause, among lines with its consequences. */
function faultOf(errors: string): string {
  return errors.split('\n').find((line) => /FATAL:|error:/.test(line)) ?? errors;
}

function makeProcess(
  options: StoreOptions & { readonly password: string },
  place: PostgresPlace,
  binaries: PostgresBinaries,
  around: Surroundings,
): ManagedProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '300',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(options.isDurable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return new ManagedProcess(
    {
      name: 'postgres',
      kind: 'store',
      command: binaries.postgres,
      args: ['-D', place.clusterDir, '-p', String(options.port), ...flags],
      env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
      cwd: '/',
      user: place.user,
      stopSignal: 'SIGINT',
      notice: postgresNotice,
      logFile: options.folder.at('logs', 'postgres.log'),
      probe: async () => {
        const fault = await tryConnect({ url: urlOf(options, 'postgres') });
        return { isReady: fault === null, detail: fault ?? '' };
      },
    },
    around,
  );
}

async function untilAnswers(server: ManagedProcess): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const fault = await startAndWait(server, READY_MS_MAX);
    if (fault === null) return;
    const isMemoryHeld = server.tail().some((line) => line.includes('pre-existing shared memory block'));
    if (!isMemoryHeld || attempt === SHARED_MEMORY_TRIES_MAX) throw new StartError(failure(server, fault));
    await sleep(SHARED_MEMORY_WAIT_MS);
  }
}

/** Null when a connection can be made; otherwise the fault. */
export async function tryConnect(address: StoreAddress): Promise<string | null> {
  const client = new pg.Client({ ...connectionOf(address), connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return null;
  } catch (error) {
    return messageOf(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}
