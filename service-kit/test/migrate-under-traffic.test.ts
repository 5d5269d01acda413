import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate, type LockedMigration, type MigrateOptions } from '../src/postgres/migrate.js';
import { openTestDatabase, type TestDatabase } from '../src/testing/stores.js';

describe('migrate, while the tables are in use', () => {
  let database: TestDatabase;
  let dir: string;
  let reader: pg.Client;

  beforeEach(async () => {
    database = await openTestDatabase({ migrations: [] });
    dir = await mkdtemp(join(tmpdir(), 'migrations-'));
    await writeFile(
      join(dir, '001_create_tables.sql'),
      `CREATE TABLE shop.thing (id int PRIMARY KEY, size int NOT NULL DEFAULT 1);
       INSERT INTO shop.thing SELECT generate_series(1, 100);
       CREATE TABLE shop.sale (day date NOT NULL, id int NOT NULL, PRIMARY KEY (day, id)) PARTITION BY RANGE (day);
       CREATE TABLE shop.sale_1 PARTITION OF shop.sale FOR VALUES FROM ('2026-11-01') TO ('2026-11-02');
       CREATE TABLE shop.sale_2 PARTITION OF shop.sale FOR VALUES FROM ('2026-11-02') TO ('2026-11-03');`,
    );
    await run();
    reader = new pg.Client({ connectionString: database.url, application_name: 'long reader' });
    await reader.connect();
    await reader.query('BEGIN');
    await reader.query('SELECT count(*) FROM shop.thing');
  });
  afterEach(async () => {
    await reader.end();
    await database.drop();
    await rm(dir, { recursive: true });
  });

  const run = (options: Partial<MigrateOptions> = {}): Promise<void> =>
    migrate({ url: database.url, schema: 'shop', dir, ...options });
  const add = (name: string, sql: string): Promise<void> => writeFile(join(dir, `${name}.sql`), sql);
  const rowsOf = async (sql: string): Promise<readonly unknown[]> =>
    (await database.pool.query<Record<string, unknown>>(sql)).rows;
  const messageOf = (work: Promise<void>): Promise<string> =>
    work.then(
      () => 'it succeeded',
      (error: unknown) => String(error),
    );
  const VALIDITY = `SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index
    JOIN pg_class ON pg_class.oid = indexrelid WHERE relname LIKE '%by_size%' OR relname LIKE '%by_id%' ORDER BY 1`;

  it('gives way to writers while a reader holds its lock, and succeeds when the reader ends', async () => {
    await add('002_add_color', "ALTER TABLE shop.thing ADD COLUMN color text NOT NULL DEFAULT '';");
    const tries: LockedMigration[] = [];
    const over = new AbortController();
    const migrated = run({
      onLocked: (locked) => {
        tries.push(locked);
        if (tries.length === 2) void reader.query('COMMIT');
      },
    }).finally(() => over.abort());
    let id = 1_000;
    // A writer that waits longer than the limit of the pool's statements would fail the test.
    for (; !over.signal.aborted; id += 1)
      await database.pool.query('INSERT INTO shop.thing (id) VALUES ($1)', [id]);
    await migrated;
    expect(id).to.be.greaterThan(1_010);
    expect(tries.map(({ migration, attempt }) => [migration, attempt])).to.deep.equal([
      ['002_add_color', 1],
      ['002_add_color', 2],
    ]);
    expect(tries[0]?.holder).to.match(
      /^session \d+ \(long reader, role \w+, idle in transaction, in a tr.* \d s\)$/,
    );
    expect(await rowsOf('SELECT DISTINCT color FROM shop.thing')).to.deep.equal([{ color: '' }]);
  });

  it('names the session in the way, and how to end it, when all tries were in vain; nothing is applied', async () => {
    await add('002_add_color', 'CREATE TABLE shop.other (); ALTER TABLE shop.thing ADD COLUMN color text;');
    const { rows } = await reader.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const pid = rows[0]?.pid;
    expect(await messageOf(run({ lockedMsMax: 1 }))).to.match(
      new RegExp(
        `^Error: 002_add_color got no lock for 0 s because of session ${pid} \\(long reader, .*\\)\\. ` +
          `Wait for its end, or end it: SELECT pg_terminate_backend\\(${pid}\\)$`,
      ),
    );
    expect(await rowsOf("SELECT to_regclass('shop.other') AS other")).to.deep.equal([{ other: null }]);
  });

  it('builds an index beside transactions, and gives the next migration its short waits again', async () => {
    await add(
      '002_index_size',
      '-- By size.\nCREATE INDEX CONCURRENTLY IF NOT EXISTS by_size\n  ON shop.thing (size);',
    );
    await add(
      '003_keep_limits',
      `CREATE TABLE shop.limits AS SELECT current_setting('lock_timeout') AS lock,
         current_setting('statement_timeout') AS statement;`,
    );
    const migrated = run();
    await reader.query('INSERT INTO shop.thing (id) VALUES (2000)');
    await reader.query('COMMIT');
    await migrated;
    expect(await rowsOf(VALIDITY)).to.deep.equal([{ name: 'shop.by_size', valid: true }]);
    expect(await rowsOf('SELECT * FROM shop.limits')).to.deep.equal([{ lock: '200ms', statement: '2min' }]);
  });

  it('builds an index anew that a broken build has left', async () => {
    await reader.query('COMMIT');
    await add(
      '002_index_size',
      'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS by_size ON shop.thing (size);',
    );
    expect(await messageOf(run())).to.contain('could not create unique index');
    expect(await rowsOf(VALIDITY)).to.deep.equal([{ name: 'shop.by_size', valid: false }]);
    await database.pool.query('UPDATE shop.thing SET size = id');
    await run();
    expect(await rowsOf(VALIDITY)).to.deep.equal([{ name: 'shop.by_size', valid: true }]);
  });

  it('builds an index of a partitioned table by partition, and new partitions have it', async () => {
    await reader.query('COMMIT');
    await add('002_index_id', 'CREATE INDEX CONCURRENTLY IF NOT EXISTS by_id ON shop.sale (id);');
    // What a build that broke off has left: the parent's index, one part.
    await database.pool.query('CREATE INDEX by_id ON ONLY shop.sale (id)');
    await database.pool.query('CREATE INDEX sale_2_by_id ON shop.sale_2 (id)');
    await run();
    await database.pool.query(
      `CREATE TABLE shop.sale_3 (LIKE shop.sale INCLUDING ALL);
       ALTER TABLE shop.sale ATTACH PARTITION shop.sale_3 FOR VALUES FROM ('2026-11-03') TO ('2026-11-04')`,
    );
    expect(await rowsOf(VALIDITY)).to.deep.equal([
      { name: 'shop.by_id', valid: true },
      { name: 'shop.sale_1_by_id', valid: true },
      { name: 'shop.sale_2_by_id', valid: true },
    ]);
    expect(await rowsOf("SELECT count(*) AS n FROM pg_indexes WHERE tablename = 'sale_3'")).to.deep.equal([
      { n: 2n },
    ]);
  });

  it('builds an index while other runners wait for it', async () => {
    await reader.query('COMMIT');
    await add('002_index_size', 'CREATE INDEX CONCURRENTLY IF NOT EXISTS by_size ON shop.thing (size);');
    await Promise.all([run(), run(), run()]);
    expect(await rowsOf(VALIDITY)).to.deep.equal([{ name: 'shop.by_size', valid: true }]);
  });

  it('refuses what runs concurrently among other statements or could not be repeated', async () => {
    await add('002_index_size', 'CREATE INDEX CONCURRENTLY by_size ON shop.thing (size);');
    expect(await messageOf(run())).to.contain(
      '002_index_size.sql: what runs CONCURRENTLY has a file of its own, in one',
    );
  });
});
