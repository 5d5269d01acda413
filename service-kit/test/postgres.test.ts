import { expect } from 'chai';
import pg from 'pg';
import type { Pool } from '../src/postgres/postgres-pool.js';
import { inTransaction, openPostgres } from '../src/postgres/postgres.js';
import { makeTestScope, type TestScope } from '../src/testing/index.js';
import { openTestDatabase, type TestDatabase } from '../src/testing/stores.js';

describe('Postgres', () => {
  let database: TestDatabase;
  let scope: TestScope;
  let pool: Pool;

  before(async () => {
    database = await openTestDatabase({ migrations: [] });
    await database.pool.query('CREATE TABLE t (id int PRIMARY KEY, n int8)');
  });
  after(() => database.drop());
  beforeEach(() => {
    scope = makeTestScope();
    pool = openPostgres(scope, { url: database.url, poolMax: 4 });
  });
  afterEach(() => scope.close());

  async function terminateOthers(): Promise<void> {
    const client = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
    await client.connect();
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
      new URL(database.url).pathname.slice(1),
    ]);
    await client.end();
  }

  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  it('gives whole numbers exactly and instants as epoch milliseconds, in every zone of the server', async () => {
    for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
      const { rows } = await inTransaction(pool, async (client) => {
        await client.query(`SET LOCAL TIME ZONE '${zone}'`);
        return client.query(`SELECT 9007199254740993::int8 AS big, 7::int4 AS small, sum(x) AS sum, avg(x - x + 1.5) AS mean,
            '2026-11-01T00:00:00.123Z'::timestamptz AS at, '2026-11-01'::date AS day, NULL::int8 AS nothing
          FROM (VALUES (9223372036854775807::int8), (2)) AS v (x)`);
      });
      expect(rows).to.deep.equal([
        {
          big: 9_007_199_254_740_993n,
          small: 7,
          sum: 9_223_372_036_854_775_809n,
          mean: '1.5000000000000000',
          at: Date.UTC(2026, 10, 1, 0, 0, 0, 123),
          day: '2026-11-01',
          nothing: null,
        },
      ]);
    }
  });

  it('takes instants as a Date or as milliseconds, and bigint as it is', async () => {
    const at = Date.UTC(2026, 2, 29, 1, 30, 0, 7);
    const sql =
      'SELECT $1::timestamptz AS one, to_timestamp($2::double precision / 1000.0) AS two, $3::int8 AS n';
    const { rows } = await pool.query(sql, [new Date(at), at, 9_007_199_254_740_993n]);
    expect(rows).to.deep.equal([{ one: at, two: at, n: 9_007_199_254_740_993n }]);
  });

  it('survives the end of its idle connections', async () => {
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([1, 2, 3, 4].map(() => pool.query('SELECT pg_sleep(0.02)')));
      await terminateOthers();
      await until(() => pool.idleCount === 0);
      expect((await pool.query('SELECT 1 AS one')).rows).to.deep.equal([{ one: 1 }]);
    }
  });

  it('fails the statements whose connection ended, and no later ones', async () => {
    const running = pool.query('SELECT pg_sleep(5)').catch((error: unknown) => error);
    const inside = inTransaction(pool, async (client) => {
      await client.query('INSERT INTO t VALUES (1, 1)');
      await client.query('SELECT pg_sleep(5)');
    }).catch((error: unknown) => error);
    await until(() => pool.totalCount >= 2 && pool.idleCount === 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await terminateOthers();
    expect(await running).to.be.instanceOf(Error);
    expect(await inside).to.be.instanceOf(Error);
    // The pool may still lend an idle connection in the moment in which its end is detected.
    await until(() => pool.idleCount === 0);
    expect((await pool.query('SELECT * FROM t')).rows).to.deep.equal([]);
  });

  it('commits work that resolves, and rolls back work that throws and passes its error on', async () => {
    await inTransaction(pool, (client) => client.query('INSERT INTO t VALUES (2, 2)'));
    const wrong = new Error('wrong');
    const error: unknown = await inTransaction(pool, async (client) => {
      await client.query('INSERT INTO t VALUES (3, 3)');
      throw wrong;
    }).catch((thrown: unknown) => thrown);
    expect(error).to.equal(wrong);
    expect((await pool.query('SELECT id FROM t ORDER BY id')).rows).to.deep.equal([{ id: 2 }]);
    await until(() => pool.idleCount === pool.totalCount);
  });

  it('never reuses a connection whose rollback failed', async () => {
    const one = makeTestScope();
    const single = openPostgres(one, { url: database.url, poolMax: 1 });
    let pid: unknown;
    const error: unknown = await inTransaction(single, async (client) => {
      ({ pid } = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!);
      await client.query('INSERT INTO t VALUES (5, 5)');
      client.query = () => Promise.reject(new Error('no answer'));
      throw new Error('wrong');
    }).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Error).with.property('message', 'wrong');
    const next = await single.query(
      'SELECT pg_backend_pid() AS pid, EXISTS (SELECT FROM t WHERE id = 5) AS seen',
    );
    expect(next.rows[0]).to.have.property('seen', false);
    expect(next.rows[0]).to.have.property('pid').that.does.not.equal(pid);
    await one.close();
  });

  it('shows in health whether the database is available', async () => {
    await until(() => scope.health.components()['postgres']?.ok === true);
    const away = makeTestScope();
    openPostgres(away, { url: 'postgres://u:p@127.0.0.1:1/x', poolMax: 1 });
    await until(() => (away.health.components()['postgres']?.detail ?? '').includes('ECONNREFUSED'));
    expect(away.health.isReady()).to.equal(false);
    await away.close();
  });

  it('ends an idle transaction, so that its locks are free for others', async () => {
    await pool.query('INSERT INTO t VALUES (4, 4)');
    const still = makeTestScope();
    const stopped = openPostgres(still, { url: database.url, poolMax: 1, idleTransactionMs: 50 });
    const error: unknown = await inTransaction(stopped, async (client) => {
      await client.query('UPDATE t SET n = 5 WHERE id = 4');
      await pool.query('UPDATE t SET n = 6 WHERE id = 4');
      await client.query('SELECT 1');
    }).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Error);
    expect((await pool.query('SELECT n FROM t WHERE id = 4')).rows).to.deep.equal([{ n: 6n }]);
    expect((await stopped.query('SELECT 1 AS one')).rows).to.deep.equal([{ one: 1 }]);
    await still.close();
  });

  it('ends a statement that takes too long', async () => {
    const short = makeTestScope();
    const quick = openPostgres(short, { url: database.url, poolMax: 1, statementTimeoutMs: 50 });
    const error: unknown = await quick.query('SELECT pg_sleep(5)').catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', '57014');
    await short.close();
  });
});
