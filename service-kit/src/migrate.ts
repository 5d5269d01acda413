import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { databaseUrl, readConfig } from './config.js';
import { messageOf } from './errors.js';

/** What to migrate. */
export interface MigrateOptions {
  readonly url: string;
  /** The owner's own schema; the list of migrations done is kept in it. */
  readonly schema: string;
  /** Folder of `NNN_verb_object.sql` files, applied in order, forward only. */
  readonly dir: string;
  readonly log?: (line: string) => void;
}

/** Any number will do, as long as all runners use the same one. */
const LOCK_ID = 7_226_243;
/** Longest wait for another runner, in milliseconds. */
const LOCK_WAIT_MS_MAX = 120_000;

/** Applies the migrations that are missing. Several runners at once wait for each other; the later ones find nothing to do. */
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
      log: options.log ?? (() => undefined),
    });
  } finally {
    await client.end();
  }
}

/** The whole of a service's `migrate.ts`: reads `DATABASE_URL`, migrates, exits non-zero with one line on failure. */
export async function runMigrations(options: Omit<MigrateOptions, 'url'>): Promise<void> {
  try {
    const config = readConfig({ DATABASE_URL: databaseUrl }, process.env);
    await migrate({ ...options, url: config.DATABASE_URL });
    process.stdout.write(`migrated ${options.schema}\n`);
  } catch (error) {
    process.stderr.write(
      `Could not migrate ${options.schema}: ${messageOf(error)}. Nothing was half-applied; correct it and run again.\n`,
    );
    process.exitCode = 1;
  }
}
