import { setTimeout as delay } from 'node:timers/promises';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { ConfigError, EXIT_CONFIG, readConfig } from '../process/config.js';
import { messageOf } from '../process/errors.js';
import { makeLogger } from '../process/logs.js';
import type { StoreAddress } from '../stores/store-address.js';
import { databaseOf, databaseShape, storesNeedTls } from '../stores/store-settings.js';
import { describeHolders, watchLockHolders, type LockHolder } from './lock-holders.js';
import { connectionOf } from './postgres-connection.js';
import { sqlStateOf } from './postgres-faults.js';
import { sqlMigrations } from './sql-migration.js';

/** The migrations of one schema. */
export interface MigrateOptions extends StoreAddress {
  /** The schema of the service. It also holds the list of applied migrations. */
  readonly schema: string;
  /** Folder of `NNN_verb_object.sql` files, applied in order, forward only. */
  readonly dir: string;
  /** Name of the session, for those who look for what holds a lock. Default: `migration`. */
  readonly name?: string;
  /** How long a migration is tried again because of locks, in milliseconds. Default: five minutes. */
  readonly lockedMsMax?: number;
  /** Called before each pause. Default: nothing. */
  readonly onLocked?: (locked: LockedMigration) => void;
}

/** A migration that did not get a lock and is tried again. */
export interface LockedMigration {
  /** Name of its file without the ending. */
  readonly migration: string;
  /** 1 for the first try. */
  readonly attempt: number;
  /** Until the next try, in milliseconds. */
  readonly pauseMs: number;
  /** What holds the lock, in words. */
  readonly holder: string;
}

/** Any number fits, as long as all runners use the same. */
const LOCK_ID = 7_226_243;
/** Longest wait for another runner, in milliseconds: it may try for minutes itself. */
const RUNNER_WAIT_MS_MAX = 600_000;
const RUNNER_LOOK_MS = 250;

/**
 * Longest wait for a lock, in milliseconds. All later reads and writes of the table queue behind a waiting ALTER TABLE: an
 * impression must stand that wait. Shorter than `deadlock_timeout`, so no deadlock is looked for.
 */
const LOCK_MS_MAX = 200;
/** Longest run of a statement, in milliseconds, except those that block no writer (sql-migration.ts). */
const STATEMENT_MS_MAX = 120_000;
const LOCKED_MS_MAX = 300_000;
const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 10_000;

/** SQLSTATEs of a migration that may succeed later: it did not get a lock, or gave way in a deadlock. */
const LOCKED: ReadonlySet<string> = new Set(['55P03', '40P01']);

/**
 * Applies the missing migrations, each in its own transaction. Concurrent runners wait for each other; the later ones find
 * nothing to do. A migration that does not get its locks within 200 ms gives way to the traffic and is tried again, for
 * minutes. Throws an error that names the session in the way when that was in vain.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const client = await connect(options, LOCK_MS_MAX);
  try {
    const watcher = await connect(options, 0);
    try {
      await waitForOtherRunners(client);
      await applyMissing(client, watcher, options);
    } finally {
      await watcher.end();
    }
  } finally {
    await client.end();
  }
}

async function connect(
  { name = 'migration', ...address }: MigrateOptions,
  lockMs: number,
): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionOf(address),
    application_name: name,
    statement_timeout: STATEMENT_MS_MAX,
    lock_timeout: lockMs,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Looks instead of waiting in Postgres: an index that is built concurrently waits for every waiting statement. */
async function waitForOtherRunners(client: pg.Client): Promise<void> {
  const deadlineMs = Date.now() + RUNNER_WAIT_MS_MAX;
  for (;;) {
    const { rows } = await client.query<{ is_mine: boolean }>('SELECT pg_try_advisory_lock($1) AS is_mine', [
      LOCK_ID,
    ]);
    if (rows[0]?.is_mine === true) return;
    if (Date.now() > deadlineMs) throw new Error('another migration has been running for ten minutes');
    await delay(RUNNER_LOOK_MS);
  }
}

async function applyMissing(client: pg.Client, watcher: pg.Client, options: MigrateOptions): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const pid = rows[0]?.pid ?? 0;
  const lockedMsMax = options.lockedMsMax ?? LOCKED_MS_MAX;
  const startedMs = Date.now();
  for (let attempt = 1; ; attempt += 1) {
    const holders = await tryToApply(client, watcher, pid, options);
    if (holders === null) return;
    const [next] = await runner({ ...runnerOptions(client, options), dryRun: true, count: 1 });
    const migration = next?.name ?? '';
    const holder = describeHolders(holders);
    const pauseMs = pauseBefore(attempt + 1, Math.random());
    if (Date.now() + pauseMs > startedMs + lockedMsMax)
      throw new Error(inVain(migration, holders, lockedMsMax));
    options.onLocked?.({ migration, attempt, pauseMs, holder });
    await delay(pauseMs);
  }
}

/** Null when all are applied; else who held the lock that a migration did not get. */
async function tryToApply(
  client: pg.Client,
  watcher: pg.Client,
  pid: number,
  options: MigrateOptions,
): Promise<readonly LockHolder[] | null> {
  const watch = watchLockHolders(watcher, pid);
  try {
    await runner(runnerOptions(client, options));
    return null;
  } catch (error) {
    if (!LOCKED.has(sqlStateOf(error) ?? '')) throw error;
    await client.query('ROLLBACK');
    await client.query('RESET lock_timeout');
    await client.query('RESET statement_timeout');
    return watch.holders();
  } finally {
    await watch.stop();
  }
}

/** Pause before the try `attempt`, in milliseconds: twice as long each time, up to a bound, less up to half by `chance`. */
function pauseBefore(attempt: number, chance: number): number {
  const longestMs = Math.min(PAUSE_MS_MIN * 2 ** (attempt - 2), PAUSE_MS_MAX);
  return Math.round(longestMs * (1 - chance / 2));
}

function inVain(migration: string, holders: readonly LockHolder[], lockedMsMax: number): string {
  const seconds = Math.round(lockedMsMax / 1_000);
  const [first] = holders;
  const end = first === undefined ? '' : `, or end it: SELECT pg_terminate_backend(${first.pid})`;
  return `${migration} got no lock for ${seconds} s because of ${describeHolders(holders)}. Wait for its end${end}`;
}

function runnerOptions(client: pg.Client, { schema, dir }: MigrateOptions): Parameters<typeof runner>[0] {
  return {
    dbClient: client,
    dir,
    direction: 'up',
    migrationsTable: 'migrations',
    schema,
    createSchema: true,
    migrationsSchema: schema,
    createMigrationsSchema: true,
    migrationLoaderStrategies: [sqlMigrations],
    noLock: true,
    log: () => undefined,
  };
}

/** The options of a service's `migrate.ts`. */
export interface RunMigrationsOptions extends Pick<MigrateOptions, 'schema' | 'dir'> {
  /** Name of the process in its log, and of its session in Postgres. */
  readonly name: string;
}

/**
 * Reads `DATABASE_URL`, applies the migrations and logs the result in one line, and one line for each try that got no lock.
 * The exit status is 1 on a failure and 78 for wrong settings, as for every process.
 */
export async function runMigrations({ name, schema, dir }: RunMigrationsOptions): Promise<void> {
  const log = makeLogger(name, 'info');
  try {
    const config = readConfig(databaseShape, process.env, [storesNeedTls]);
    const onLocked = ({ migration, attempt, pauseMs, holder }: LockedMigration): void =>
      log.warn(
        { schema, migration, attempt, pauseMs, holder },
        'a migration got no lock; it is tried again after a pause',
      );
    await migrate({ ...databaseOf(config), schema, dir, name, onLocked });
    log.info({ schema }, 'migrated');
  } catch (error) {
    if (error instanceof ConfigError) {
      log.fatal(error.message);
      process.exitCode = EXIT_CONFIG;
      return;
    }
    const reason = messageOf(error).replace(/\.$/, '');
    log.fatal(
      { schema },
      `could not migrate: ${reason}. Nothing was half-applied; correct it and run again.`,
    );
    process.exitCode = 1;
  }
}
