import { migrate } from '@placard/service-kit/migrate';
import {
  MINUTE_MS,
  dayOf,
  dayToIso,
  minuteOf,
  asAdvertiserId,
  asCampaignId,
} from '@placard/service-kit/pure';
import { openTestDatabase, type TestDatabase } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openLeaseStore } from '../src/budgets/store/leases.pg.js';
import { faultsOf, MIGRATIONS } from './support/bed.js';

const COST = 1_000n;
const FIRST_WITH_LEASES = '009';

describe('the upgrade of a database of a release without leases', () => {
  let dir: string;
  let database: TestDatabase;
  before(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'placard-before-'));
    for (const file of await readdir(MIGRATIONS.dir))
      if (file < FIRST_WITH_LEASES) await cp(path.join(MIGRATIONS.dir, file), path.join(dir, file));
    database = await openTestDatabase({ migrations: [{ ...MIGRATIONS, dir }] });
  });
  after(async () => {
    await database.drop();
    await rm(dir, { recursive: true });
  });

  const insertImpression = (
    id: string,
    overrides: { verdict?: string; settled?: boolean; minute: number; campaignId?: string },
  ) =>
    database.pool.query(
      `INSERT INTO events.event (
         day, request_id, type, verdict, is_test, arrived_at, fill_minute, session_id, publisher_id, app_id, placement,
         format, advertiser_id, campaign_id, creative_id, cost_nanos, publisher_nanos, settled_at
       ) VALUES (
         $1, $2, 'impression', $3, false, now(), $4, 'ses', 'pub', 'app', 'home', 'banner', 'adv', $7, 'cr', $5, 0,
         CASE WHEN $6 THEN now() END
       )`,
      [
        dayToIso(dayOf(overrides.minute * MINUTE_MS)),
        id,
        overrides.verdict ?? 'accepted',
        overrides.minute,
        COST,
        overrides.settled ?? overrides.verdict === 'suspicious',
        overrides.campaignId ?? 'cmp',
      ],
    );

  it('holds the open fills, counts the spend, and grants exactly the rest', async () => {
    const nowMs = Date.now();
    const minute = minuteOf(nowMs);
    const day = dayToIso(dayOf(nowMs));
    for (const at of [minute, minute - 60])
      await database.pool.query('SELECT events.ensure_partition($1)', [dayToIso(dayOf(at * MINUTE_MS))]);
    // Ten fills of this minute, one accepted, one suspicious; six more from counters that died before their report.
    await database.pool.query(
      `INSERT INTO events.fills (advertiser_id, campaign_id, minute, fills, reserved_nanos, found_nanos, expires_at)
       VALUES ('adv', 'cmp', $1, 10, $2, $3, now() + interval '30 minutes')`,
      [minute, 10n * COST, 6n * COST],
    );
    await insertImpression('req-open', { minute });
    await insertImpression('req-suspicious', { minute, verdict: 'suspicious' });
    // Spent: two settled and one waiting impression of a minute that is over.
    await insertImpression('req-waiting', { minute: minute - 60 });
    await database.pool.query(`INSERT INTO stats.campaign_day VALUES ('adv', 'cmp', $1, 2, $2)`, [
      day,
      2n * COST,
    ]);
    await migrate({ url: database.url, ...MIGRATIONS });

    // Held: 16 fills minus the suspicious one. Spent: 3.
    const { rows } = await database.pool.query('SELECT open_nanos, closed_nanos FROM budget.campaign');
    expect(rows).to.deep.equal([{ open_nanos: 15n * COST, closed_nanos: 3n * COST }]);
    const want = {
      advertiserId: asAdvertiserId('adv'),
      campaignId: asCampaignId('cmp'),
      minute,
      costNanos: COST,
      grantedMaxNanos: 100n * COST,
      totalLimitNanos: 20n * COST,
      dailyLimitNanos: null,
      fundedNanos: 100n * COST,
      expiresAtMs: nowMs + 31 * MINUTE_MS,
      pace: null,
    };
    const leases = openLeaseStore(database.pool);
    const exchange = { run: 'run', atMs: nowMs, reports: [], wants: [want], peeks: [] };
    const { wants } = await leases.exchange(exchange, nowMs);
    expect(wants[0]).to.include({ verdict: 'granted', grantedNanos: 2n * COST });

    await leases.closeDue({ overBeforeMs: nowMs + 90 * MINUTE_MS, nowMs, countMax: 10 });
    const after = await database.pool.query('SELECT open_nanos, closed_nanos FROM budget.campaign');
    expect(after.rows).to.deep.equal([{ open_nanos: 0n, closed_nanos: 4n * COST }]);
    const faults = Object.keys(await faultsOf(database.pool));
    expect(faults).to.not.include('budget sums equal leases');
    expect(faults).to.not.include('budgets equal accepted spend');
  });

  it('counts an impression of the older release once when it is stored before the report of its fill', async () => {
    const minute = minuteOf(Date.now()) - 1;
    await insertImpression('req-early', { minute, campaignId: 'cmp-late' });
    await database.pool.query(
      `INSERT INTO events.fills (advertiser_id, campaign_id, minute, fills, reserved_nanos, expires_at)
       VALUES ('adv', 'cmp-late', $1, 2, $2, now() + interval '30 minutes')`,
      [minute, 2n * COST],
    );
    await insertImpression('req-next', { minute, campaignId: 'cmp-late' });
    const { rows } = await database.pool.query(
      `SELECT granted_nanos, accepted_nanos FROM budget.lease WHERE campaign_id = 'cmp-late'`,
    );
    expect(rows).to.deep.equal([{ granted_nanos: 2n * COST, accepted_nanos: 2n * COST }]);
  });

  it('holds fills that are reported while the migration runs', async () => {
    const other = await openTestDatabase({ migrations: [{ ...MIGRATIONS, dir }] });
    const reporter = await other.pool.connect();
    try {
      await reporter.query('BEGIN');
      await reporter.query(
        `INSERT INTO events.fills (advertiser_id, campaign_id, minute, fills, reserved_nanos, expires_at)
         VALUES ('adv', 'cmp', $1, 2, $2, now() + interval '30 minutes')`,
        [minuteOf(Date.now()), 2n * COST],
      );
      const migrated = migrate({ url: other.url, ...MIGRATIONS });
      const waits = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'events.fills'::regclass`;
      while ((await other.pool.query(waits)).rowCount === 0) await delay(5);
      await reporter.query('COMMIT');
      await migrated;
      const { rows } = await other.pool.query('SELECT open_nanos FROM budget.campaign');
      expect(rows).to.deep.equal([{ open_nanos: 2n * COST }]);
    } finally {
      reporter.release();
      await other.drop();
    }
  });
});
