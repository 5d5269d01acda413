import { expect } from 'chai';
import pg from 'pg';
import { openPostgres } from '../src/postgres/postgres.js';
import { databaseFault } from '../src/postgres/postgres-faults.js';
import { makeTestScope, type TestScope } from '../src/testing/index.js';
import { openTestDatabase, type TestDatabase } from '../src/testing/stores.js';

const ROLE = 'placard_kit_probe';
const PASSWORD = 'only-for-this-test';
/** More than one interval of the probe. */
const WATCHED_MS = 1_300;

describe('the probe of Postgres', () => {
  let database: TestDatabase;
  let name: string;
  let url: string;
  let scope: TestScope;

  before(async () => {
    database = await openTestDatabase({ migrations: [] });
    name = new URL(database.url).pathname.slice(1);
    await database.pool.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${PASSWORD}'`);
    const own = new URL(database.url);
    [own.username, own.password] = [ROLE, PASSWORD];
    url = own.href;
  });
  after(async () => {
    await database.drop();
    const client = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
    await client.connect();
    await client.query(`DROP ROLE ${ROLE}`);
    await client.end();
  });
  beforeEach(() => {
    scope = makeTestScope();
  });
  afterEach(() => scope.close());

  const state = () => scope.health.components()['postgres'];
  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  /** Makes a change as an operator would. Settings apply to new connections. */
  async function change(statement: string): Promise<void> {
    await database.pool.query(statement);
    await database.pool.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [
      ROLE,
    ]);
  }

  it('reports a healthy database for a role without rights, and leaves nothing behind', async () => {
    openPostgres(scope, { url, poolMax: 1 });
    await until(() => state()?.ok === true);
    const { rows } = await database.pool.query(`SELECT FROM pg_class WHERE relname ILIKE '%probe%'`);
    expect(rows).to.have.length(0);
  });

  it('reports a database that is set to read only', async () => {
    openPostgres(scope, { url, poolMax: 1 });
    await until(() => state()?.ok === true);
    await change(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await until(() => state()?.detail === 'it takes no writes: it is set to read only');
    expect(scope.health.isReady()).to.equal(false);
    await change(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await until(() => state()?.ok === true);
  });

  it('reports a database that cannot write to its disk', async () => {
    // No setting is closer to a full disk.
    await change(`ALTER ROLE ${ROLE} SET temp_file_limit = 0`);
    openPostgres(scope, { url, poolMax: 1 });
    await until(() => state()?.detail?.startsWith('it takes no writes: temporary file size') === true);
    await change(`ALTER ROLE ${ROLE} RESET temp_file_limit`);
    await until(() => state()?.ok === true);
  });

  it('reports a healthy database while every connection of the pool is busy', async () => {
    const pool = openPostgres(scope, { url, poolMax: 1, connectTimeoutMs: 500 });
    const busy = await pool.connect();
    await until(() => state()?.ok === true);
    const seen = new Set<boolean | undefined>();
    const timer = setInterval(() => seen.add(state()?.ok), 5);
    await new Promise((resolve) => setTimeout(resolve, WATCHED_MS));
    clearInterval(timer);
    busy.release();
    expect([...seen]).to.deep.equal([true]);
  });

  it('distinguishes three faults: no answer, no writes, and a refused statement', async () => {
    const faultOf = async (statement: string, to = url): Promise<string> => {
      const client = new pg.Client({ connectionString: to });
      try {
        await client.connect();
        await client.query(statement);
        return 'none';
      } catch (error) {
        return databaseFault('The database', error);
      } finally {
        await client.end().catch(() => undefined);
      }
    };
    expect(await faultOf('SELECT 1', 'postgres://u:p@127.0.0.1:1/x')).to.equal(
      'The database did not answer.',
    );
    expect(await faultOf('SET statement_timeout = 1; SELECT pg_sleep(1)')).to.match(/did not answer/);
    expect(await faultOf('BEGIN READ ONLY; CREATE TABLE public.x ()')).to.match(/no writes: it is read-only/);
    expect(await faultOf('SELECT nonsense')).to.equal('The database refused a statement.');
  });
});
