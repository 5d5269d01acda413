import type { AppError } from '@placard/service-kit';
import { DAY_MS, MINUTE_MS, dayOf, dayToIso } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { makeDropOldEvents } from '../src/usecase/drop-old-events.js';
import { openExplanationStore } from '../src/explain/store/explanations.pg.js';
import { makePruneAndPrepare } from '../src/usecase/prune-and-prepare.js';
import { balancesOf, faultsOf, openBed, openStores, send, type Bed, type Instance } from './support/bed.js';

const KEPT_DAYS = 35;

describe('retention of events', () => {
  let bed: Bed;
  let service: Instance;
  let nowMs: number;
  beforeEach(async () => {
    bed = await openBed();
    service = bed.instance();
    nowMs = bed.clock.now();
  });
  afterEach(() => bed.drop());

  /** Accepts impressions whose fills are `daysAgo` days old. */
  const accept = async (daysAgo: number, count = 2): Promise<void> => {
    for (let shown = 0; shown < count; shown += 1) {
      const fill = bed.fill({ filledAtMs: nowMs - daysAgo * DAY_MS, expiresAtMs: nowMs + 30 * MINUTE_MS });
      expect(await send(service, 'impression', fill)).to.equal('accepted');
    }
  };
  const partitions = async (): Promise<readonly string[]> => {
    const { rows } = await bed.pool.query<{ day: string }>(
      'SELECT DISTINCT day FROM events.event ORDER BY day',
    );
    return rows.map(({ day }) => day);
  };
  const dayAgo = (days: number): string => dayToIso(dayOf(nowMs) - days);
  /** Runs the job once; returns the dropped and the kept days. */
  const drop = async (atMs = nowMs) => {
    const done = { dropped: [] as string[], held: [] as string[], heldCount: -1 };
    bed.clock.set(atMs);
    await makeDropOldEvents({
      partitions: openStores(bed.pool).partitions,
      keptDays: KEPT_DAYS,
      clock: bed.clock,
      onDropped: (day) => done.dropped.push(day),
      onHeld: (day, reason) => done.held.push(`${day} ${reason}`),
      onHeldCount: (days) => (done.heldCount = days),
    })();
    return done;
  };
  const report = async () => {
    const range = { fromMs: nowMs - 90 * DAY_MS, toMs: nowMs + DAY_MS, filters: [], days: [] };
    return (await openStores(bed.pool).report.read({ by: ['campaign'], ...range })).cells;
  };

  it('drops days older than the kept ones, oldest first, and does not change ledger, reports and budgets', async () => {
    for (const days of [40, 36, 35, 0]) await accept(days);
    await bed.settle();
    const before = { balances: await balancesOf(bed.pool), report: await report() };
    expect(await drop()).to.deep.equal({ dropped: [dayAgo(40), dayAgo(36)], held: [], heldCount: 0 });
    expect(await partitions()).to.deep.equal([dayAgo(35), dayAgo(0)]);
    expect({ balances: await balancesOf(bed.pool), report: await report() }).to.deep.equal(before);
    expect(await faultsOf(bed.pool)).to.deep.equal({});
    const { rows } = await bed.pool.query('SELECT sum(accepted_nanos) AS spent FROM budget.lease');
    expect(rows).to.deep.equal([{ spent: 20_000_000n }]);
    expect(await drop()).to.deep.equal({ dropped: [], held: [], heldCount: 0 });
  });

  it('drops a day only once the clock has moved past its retention', async () => {
    await accept(40);
    await bed.settle();
    expect((await drop(nowMs - 5 * DAY_MS)).dropped).to.deep.equal([]);
    expect((await drop(nowMs - 4 * DAY_MS)).dropped).to.deep.equal([dayAgo(40)]);
  });

  it('drops nothing by a clock that is ahead of the database’s', async () => {
    await accept(34);
    await accept(0);
    await bed.settle();
    expect((await drop(nowMs + 1_000 * DAY_MS)).dropped).to.deep.equal([]);
    expect(await partitions()).to.deep.equal([dayAgo(34), dayAgo(0)]);
  });

  it('keeps a partition with a waiting row until it is settled', async () => {
    await accept(40);
    await accept(39);
    await bed.settle();
    await accept(40, 1);
    expect(await drop()).to.deep.equal({
      dropped: [dayAgo(39)],
      held: [`${dayAgo(40)} waits`],
      heldCount: 1,
    });
    expect(await openStores(bed.pool).partitions.drop(dayOf(nowMs) - 40)).to.equal(false);
    expect(await partitions()).to.deep.equal([dayAgo(40)]);
    await bed.settle();
    expect((await drop()).dropped).to.deep.equal([dayAgo(40)]);
    expect(await faultsOf(bed.pool)).to.deep.equal({});
  });

  it('keeps a partition whose rows differ from the accepted and booked impressions', async () => {
    await accept(40);
    await bed.settle();
    await bed.pool.query(
      'DELETE FROM events.event WHERE request_id = (SELECT min(request_id) FROM events.event)',
    );
    expect(await drop()).to.deep.equal({ dropped: [], held: [`${dayAgo(40)} differs`], heldCount: 1 });
    expect(await partitions()).to.deep.equal([dayAgo(40)]);
  });

  it('never makes a dropped day again, and a lost booking of such a day is still found', async () => {
    await accept(40);
    await bed.settle();
    await drop();
    const failure = await openStores(bed.pool)
      .partitions.ensure([dayOf(nowMs) - 40])
      .catch((error: unknown) => String(error));
    expect(failure).to.contain('dropped by the retention');
    const client = await bed.pool.connect();
    await client.query("SET session_replication_role = 'replica'");
    await client.query('DELETE FROM ledger.transaction WHERE id = (SELECT min(id) FROM ledger.transaction)');
    await client.query("SET session_replication_role = 'origin'");
    client.release();
    const faults = await faultsOf(bed.pool);
    expect(faults['accepted impressions are stored and booked']).to.contain(
      '2 impressions were accepted and 1 are',
    );
  });

  it('gives up when statements use the events, and succeeds later', async () => {
    await accept(40);
    await bed.settle();
    const reader = await bed.pool.connect();
    await reader.query('BEGIN');
    await reader.query('SELECT count(*) FROM events.event');
    const failure = await drop().catch((error: unknown) => (error as AppError).code);
    expect(failure).to.equal('unavailable');
    await accept(0);
    await reader.query('COMMIT');
    reader.release();
    expect((await drop()).dropped).to.deep.equal([dayAgo(40)]);
  });

  it('drops each day once with several workers', async () => {
    for (const days of [40, 39, 38]) await accept(days);
    await bed.settle();
    const runs = await Promise.allSettled([drop(), drop(), drop()]);
    const dropped = runs.flatMap((run) => (run.status === 'fulfilled' ? run.value.dropped : []));
    const rest = (await drop()).dropped;
    expect([...dropped, ...rest].sort()).to.deep.equal([dayAgo(40), dayAgo(39), dayAgo(38)]);
    expect(await faultsOf(bed.pool)).to.deep.equal({});
  });

  it('makes partitions for the coming days by the clock', async () => {
    const { partitions: store, counts, leases } = openStores(bed.pool);
    const pruneAndPrepare = makePruneAndPrepare({
      partitions: store,
      counts,
      leases,
      explanations: openExplanationStore(bed.pool),
      clock: bed.clock,
    });
    const made = async (): Promise<readonly string[]> => {
      const { rows } = await bed.pool.query<{ relname: string }>(
        "SELECT relname FROM pg_class WHERE relname ~ '^event_\\d{8}$' ORDER BY relname",
      );
      return rows.map(({ relname }) => relname);
    };
    const names = (fromDay: number, count: number) =>
      Array.from({ length: count }, (_, ahead) => `event_${dayToIso(fromDay + ahead).replaceAll('-', '')}`);
    await pruneAndPrepare();
    expect(await made()).to.deep.equal(names(dayOf(nowMs), 5));
    bed.clock.advance(3 * DAY_MS);
    await pruneAndPrepare();
    expect(await made()).to.deep.equal(names(dayOf(nowMs), 8));
  });
});
