import type { AppError } from '@placard/service-kit';
import { makePool, type PoolClient } from '@placard/service-kit/postgres';
import { expect } from 'chai';
import { openSettlementStore } from '../src/settlement/store/settlement.pg.js';
import { faultsOf, openBed, openStores, send, type Bed } from './support/bed.js';

/** Longer than the database looks for a deadlock (1 s). */
const SLOW_MS = 10_000;

describe('the backlog survives a settlement that failed', () => {
  let bed: Bed;
  let other: PoolClient;
  beforeEach(async () => {
    bed = await openBed();
    for (let shown = 0; shown < 3; shown += 1) await send(bed.instance(), 'impression', bed.fill());
    await bed.settle();
    for (let shown = 0; shown < 3; shown += 1) await send(bed.instance(), 'impression', bed.fill());
    other = await bed.pool.connect();
    await other.query('BEGIN');
  });
  afterEach(async () => {
    other.release(true);
    await bed.drop();
  });

  const settleOnce = (store = openSettlementStore(bed.pool, () => bed.clock.now())) =>
    store
      .settle({ rowsMax: 100, after: null })
      .then(({ rows }) => rows)
      .catch((error: unknown) => (error as AppError).code);
  const expectSettledOnce = async (): Promise<void> => {
    await bed.settle();
    expect((await openStores(bed.pool).settlement.outbox()).waiting).to.equal(0);
    const { rows } = await bed.pool.query('SELECT count(*) AS count FROM ledger.entry');
    expect(rows).to.deep.equal([{ count: 18n }]);
    expect(await faultsOf(bed.pool)).to.deep.equal({});
  };

  it('by a timeout: the settlement is rolled back, reported as passing, and repeated by the next run', async () => {
    const pool = makePool({ url: bed.url, poolMax: 1, statementTimeoutMs: 200 }, () => undefined);
    await other.query("SELECT FROM ledger.account WHERE kind = 'platform' FOR UPDATE");
    expect(await settleOnce(openSettlementStore(pool, () => bed.clock.now()))).to.equal('unavailable');
    expect((await openStores(bed.pool).settlement.outbox()).waiting).to.equal(3);
    await other.query('COMMIT');
    await pool.end();
    await expectSettledOnce();
  });

  it('as the victim of a deadlock: the same', async () => {
    await other.query("SET LOCAL deadlock_timeout = '1min'");
    await other.query("SELECT FROM ledger.account WHERE kind = 'platform' FOR UPDATE");
    const settling = settleOnce();
    const blocked = `
      SELECT count(*) AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '-- Books rows that%'`;
    for (;;) {
      const { rows } = await bed.pool.query<{ count: bigint }>(blocked);
      if (rows[0]?.count === 1n) break;
    }
    await other.query('UPDATE events.event SET rule = rule');
    expect(await settling).to.equal('unavailable');
    await other.query('COMMIT');
    await expectSettledOnce();
  }).timeout(SLOW_MS);

  it('by a stalled worker that holds rows: others settle the other rows, and its rows once it is gone', async () => {
    await other.query(
      `SELECT FROM events.event WHERE settled_at IS NULL ORDER BY request_id LIMIT 1 FOR UPDATE`,
    );
    expect(await settleOnce()).to.equal(2);
    expect(await settleOnce()).to.equal(0);
    expect((await openStores(bed.pool).settlement.outbox()).waiting).to.equal(1);
    await other.query('ROLLBACK');
    await expectSettledOnce();
  });
});
