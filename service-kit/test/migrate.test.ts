import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../src/postgres/migrate.js';
import { openTestDatabase, type TestDatabase } from '../src/testing/stores.js';

describe('migrate', () => {
  let database: TestDatabase;
  let dir: string;

  beforeEach(async () => {
    database = await openTestDatabase({ migrations: [] });
    dir = await mkdtemp(join(tmpdir(), 'migrations-'));
    await writeFile(join(dir, '001_create_thing.sql'), 'CREATE TABLE shop.thing (id int PRIMARY KEY);');
    await writeFile(join(dir, '002_add_row.sql'), 'SELECT pg_sleep(0.2); INSERT INTO shop.thing VALUES (1);');
  });
  afterEach(async () => {
    await database.drop();
    await rm(dir, { recursive: true });
  });

  const run = (): Promise<void> => migrate({ url: database.url, schema: 'shop', dir });

  it('applies each migration once when three runners start at once, and all three succeed', async () => {
    await Promise.all([run(), run(), run()]);
    expect((await database.pool.query('SELECT * FROM shop.thing')).rows).to.deep.equal([{ id: 1 }]);
    expect((await database.pool.query('SELECT count(*) AS n FROM shop.migrations')).rows).to.deep.equal([
      { n: 2n },
    ]);
  });

  it('applies only new migrations when it runs again', async () => {
    await run();
    await writeFile(join(dir, '003_add_row.sql'), 'INSERT INTO shop.thing VALUES (2);');
    await run();
    expect((await database.pool.query('SELECT count(*) AS n FROM shop.thing')).rows).to.deep.equal([
      { n: 2n },
    ]);
  });

  it('applies no part of a wrong migration, and continues when it is corrected', async () => {
    await writeFile(join(dir, '003_wrong.sql'), 'INSERT INTO shop.thing VALUES (3); SELECT nonsense;');
    const error: unknown = await run().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Error);
    const { rows } = await database.pool.query('SELECT id FROM shop.thing WHERE id = 3');
    expect(rows).to.deep.equal([]);
    await writeFile(join(dir, '003_wrong.sql'), 'INSERT INTO shop.thing VALUES (3);');
    await run();
    expect((await database.pool.query('SELECT id FROM shop.thing WHERE id = 3')).rows).to.have.length(1);
  });
});
