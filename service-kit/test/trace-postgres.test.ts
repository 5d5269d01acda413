import { expect } from 'chai';
import { inTransaction, openPostgres } from '../src/postgres/postgres.js';
import { makeTestScope } from '../src/testing/scope.js';
import { openTestDatabase, type TestDatabase } from '../src/testing/stores.js';
import { makeTracingNotes } from '../src/testing/tracing.js';

describe('the traces of Postgres', () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase({ migrations: [] });
  });
  after(() => database.drop());

  it('show each statement once, alone or in a transaction, and the one that failed', async () => {
    const { steps, tracing } = makeTracingNotes();
    const scope = makeTestScope({ tracing });
    const pool = openPostgres(scope, { url: database.url, poolMax: 1 });
    await pool.query({ name: 'one-row', text: 'SELECT 1' });
    await inTransaction(pool, (client) => client.query('SELECT 2'));
    await inTransaction(pool, (client) => client.query('DELETE FROM nothing')).catch(() => undefined);
    expect(steps).to.deep.equal([
      'one-row: ok',
      ...['BEGIN: ok', 'SELECT: ok', 'COMMIT: ok'],
      ...['BEGIN: ok', 'DELETE: failed', 'ROLLBACK: ok'],
    ]);
    expect(pool.idleCount).to.equal(1);
    await scope.close();
  });
});
