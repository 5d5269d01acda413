import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../postgres/migrate.js';
import { makePool, type Pool } from '../postgres/postgres-pool.js';
import { connectRedis, type RedisClient } from '../redis/redis-connection.js';

/** A fresh database for one test file. */
export interface TestDatabase {
  readonly url: string;
  readonly pool: Pool;
  /** Closes the pool and removes the database. */
  drop(): Promise<void>;
}

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (value !== undefined && value !== '') return value;
  throw new Error(
    `${name} is not set: run the tests with \`npm test\`, or paste what \`npm run stores\` prints.`,
  );
}

interface Migrations {
  readonly schema: string;
  readonly dir: string;
}

/** Copies of migrated databases, by the migrations applied. */
const copies = new Map<string, DatabaseCopies>();

/** Makes an empty database on the server of `TEST_DATABASE_URL` and applies the given migrations. */
export async function openTestDatabase(options: {
  readonly migrations: readonly Migrations[];
}): Promise<TestDatabase> {
  const serverUrl = fromEnvironment('TEST_DATABASE_URL');
  const name = await createMigrated(serverUrl, options.migrations);
  const url = urlOf(serverUrl, name);
  const pool = makePool({ url, poolMax: 10 }, () => undefined);
  return {
    url,
    pool,
    async drop() {
      await pool.end();
      await onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

function createMigrated(serverUrl: string, migrations: readonly Migrations[]): Promise<string> {
  if (migrations.length === 0) return createDatabase(serverUrl, 'template1');
  const key = JSON.stringify([serverUrl, migrations]);
  const known = copies.get(key) ?? new DatabaseCopies(serverUrl, migrated(serverUrl, migrations));
  copies.set(key, known);
  return known.take();
}

/**
 * Copies a database for each caller, one copy in advance: a copy takes a third of a second, in which a test can run.
 * The template and the last copy stay on the server, which is removed after the tests.
 */
class DatabaseCopies {
  readonly #serverUrl: string;
  readonly #template: Promise<string>;
  #next: Promise<string>;

  constructor(serverUrl: string, template: Promise<string>) {
    this.#serverUrl = serverUrl;
    this.#template = template;
    this.#next = this.#copy();
  }

  /** The name of a copy. */
  take(): Promise<string> {
    const taken = this.#next;
    this.#next = this.#copy();
    // The caller that takes the copy gets its failure.
    this.#next.catch(() => undefined);
    return taken;
  }

  async #copy(): Promise<string> {
    return createDatabase(this.#serverUrl, await this.#template);
  }
}

async function migrated(serverUrl: string, migrations: readonly Migrations[]): Promise<string> {
  const name = await createDatabase(serverUrl, 'template1');
  for (const migration of migrations) await migrate({ url: urlOf(serverUrl, name), ...migration });
  return name;
}

async function createDatabase(serverUrl: string, template: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return name;
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Empties the Redis database of `TEST_REDIS_URL` and connects to it. The caller disconnects. Throws when mocha runs
 * files in parallel, because they would empty each other's database.
 */
export async function openTestRedis(): Promise<{ readonly url: string; readonly redis: RedisClient }> {
  const url = fromEnvironment('TEST_REDIS_URL');
  if (process.env['MOCHA_WORKER_ID'] !== undefined)
    throw new Error('Tests that use Redis empty it, so they run one after another: leave out --parallel.');
  const redis = connectRedis({ url, name: 'test', waitsForRedis: true });
  redis.on('error', () => undefined);
  await redis.flushdb();
  return { url, redis };
}
