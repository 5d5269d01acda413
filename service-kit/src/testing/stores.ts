import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../migrate.js';
import { makePool, type Pool } from '../postgres.js';
import { connectRedis, type RedisClient } from '../redis.js';

/** A fresh database of a test file's own. */
export interface TestDatabase {
  readonly url: string;
  readonly pool: Pool;
  /** Closes the pool and removes the database. */
  drop(): Promise<void>;
}

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (value !== undefined && value !== '') return value;
  throw new Error(`${name} is not set: run the tests with \`npm test\`, which starts the stores they need.`);
}

/** Makes an empty database on the server that `TEST_DATABASE_URL` names and applies the given migrations. */
export async function openTestDatabase(options: {
  readonly migrations: readonly { readonly schema: string; readonly dir: string }[];
}): Promise<TestDatabase> {
  const serverUrl = fromEnvironment('TEST_DATABASE_URL');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  for (const migration of options.migrations) await migrate({ url: url.href, ...migration });
  const pool = makePool({ url: url.href, poolMax: 10 }, () => undefined);
  return {
    url: url.href,
    pool,
    async drop() {
      await pool.end();
      await onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
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

/** The Redis database that `TEST_REDIS_URL` names, emptied. The caller disconnects it. */
export async function openTestRedis(): Promise<{ readonly url: string; readonly redis: RedisClient }> {
  const url = fromEnvironment('TEST_REDIS_URL');
  const redis = connectRedis({ url, name: 'test', waitsForRedis: true });
  redis.on('error', () => undefined);
  await redis.flushdb();
  return { url, redis };
}
