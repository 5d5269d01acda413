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

interface Migrations {
  readonly schema: string;
  readonly dir: string;
}

/** Migrated databases by what was applied to them: the others are copies, which takes a fraction of the time. */
const templates = new Map<string, Promise<string>>();

/** Makes an empty database on the server that `TEST_DATABASE_URL` names, with the given migrations applied. */
export async function openTestDatabase(options: {
  readonly migrations: readonly Migrations[];
}): Promise<TestDatabase> {
  const serverUrl = fromEnvironment('TEST_DATABASE_URL');
  const template = await templateOf(serverUrl, options.migrations);
  const name = await createDatabase(serverUrl, template);
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

/** Stays on the server, which is thrown away after the tests. */
function templateOf(serverUrl: string, migrations: readonly Migrations[]): Promise<string> {
  if (migrations.length === 0) return Promise.resolve('template1');
  const key = JSON.stringify([serverUrl, migrations]);
  let template = templates.get(key);
  if (template === undefined) {
    template = migrated(serverUrl, migrations);
    templates.set(key, template);
  }
  return template;
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

/** The Redis database that `TEST_REDIS_URL` names, emptied. The caller disconnects it. */
export async function openTestRedis(): Promise<{ readonly url: string; readonly redis: RedisClient }> {
  const url = fromEnvironment('TEST_REDIS_URL');
  const redis = connectRedis({ url, name: 'test', waitsForRedis: true });
  redis.on('error', () => undefined);
  await redis.flushdb();
  return { url, redis };
}
