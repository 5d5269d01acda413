import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { ConfigError, databaseUrl, EXIT_CONFIG, readConfig } from '../process/config.js';
import { messageOf } from '../process/errors.js';
import { makeLogger } from '../process/logs.js';

/** The migrations of one schema. */
export interface MigrateOptions {
  readonly url: string;
  /** The schema of the service. It also holds the list of applied migrations. */
  readonly schema: string;
  /** Folder of `NNN_verb_object.sql` files, applied in order, forward only. */
  readonly dir: string;
}

/** Any number fits, as long as all runners use the same. */
const LOCK_ID = 7_226_243;
/** Longest wait for another runner, in milliseconds. */
const LOCK_WAIT_MS_MAX = 120_000;

/** Applies the missing migrations. Concurrent runners wait for each other; the later ones find nothing to do. */
export async function migrate(options: MigrateOptions): Promise<void> {
  const client = new pg.Client({ connectionString: options.url, statement_timeout: LOCK_WAIT_MS_MAX });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_ID]);
    await runner({
      dbClient: client,
      dir: options.dir,
      direction: 'up',
      migrationsTable: 'migrations',
      schema: options.schema,
      createSchema: true,
      migrationsSchema: options.schema,
      createMigrationsSchema: true,
      noLock: true,
      log: () => undefined,
    });
  } finally {
    await client.end();
  }
}

/** The options of a service's `migrate.ts`. */
export interface RunMigrationsOptions extends Pick<MigrateOptions, 'schema' | 'dir'> {
  /** Name of the process in its log. */
  readonly name: string;
}

/**
 * Reads `DATABASE_URL`, applies the migrations and logs the result in one line. The exit status is 1 on a failure and
 * 78 for wrong settings, as for every process.
 */
export async function runMigrations({ name, schema, dir }: RunMigrationsOptions): Promise<void> {
  const log = makeLogger(name, 'info');
  try {
    const config = readConfig({ DATABASE_URL: databaseUrl }, process.env);
    await migrate({ url: config.DATABASE_URL, schema, dir });
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
