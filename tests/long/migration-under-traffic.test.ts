import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { migrate, type LockedMigration } from '@placard/service-kit/migrate';
import { expect } from 'chai';
import pg from 'pg';
import type { Answer } from '../driver/http.js';
import { fillOf } from '../driver/expect.js';
import { becomes, type Phone } from '../driver/phone.js';
import { World } from '../driver/world.js';
import type { Fill } from '../driver/wire.js';
import { recordFault } from '../reliability/record-fault.js';
import { ROOT } from '../tidy/source-files.js';

const PHONES = 12;
const FILLS_OF_PHONE = 15;
/** 30 impressions a second. */
const EVERY_MS = 33;
/** The reader ends after this many impressions: four seconds, more than an impression may take. */
const SENT_WHILE_READING = 120;
const AD_MS_MAX = 5_000;
const CHANGE = '900_add_probe';

describe('a migration of the events beside a long reader', () => {
  const world = new World('plain');
  const { app } = world.pair();
  let dir: string;
  let database: pg.Client;
  after('the database is as before', async () => {
    await database.query('ALTER TABLE events.event DROP COLUMN IF EXISTS probe');
    await database.query('DELETE FROM events.migrations WHERE name = $1', [CHANGE]);
    await database.end();
    await rm(dir, { recursive: true });
  });
  world.use();
  before('a client of the database, and a migration more', async () => {
    dir = await mkdtemp(path.join(os.tmpdir(), 'placard-migrations-'));
    await cp(path.join(ROOT, 'events-service/migrations'), dir, { recursive: true });
    await writeFile(
      path.join(dir, `${CHANGE}.sql`),
      "ALTER TABLE events.event ADD COLUMN probe text NOT NULL DEFAULT '';",
    );
    database = new pg.Client({ connectionString: world.running.databaseUrl });
    await database.connect();
  });
  /** An ad of the phone. The first money of a campaign may take a moment. */
  async function adOf(phone: Phone): Promise<Fill> {
    let answer = await phone.request('banner');
    await becomes(AD_MS_MAX, async () => {
      if (answer.body.status !== 'fill') answer = await phone.request('banner');
      return answer.body.status === 'fill';
    });
    return fillOf(answer);
  }

  it('stops no impression, and is applied once the reader ends', async () => {
    const shown: { phone: Phone; fill: Fill }[] = [];
    for (let count = 0; count < PHONES; count += 1) {
      const phone = await world.phone(app);
      for (let ads = 0; ads < FILLS_OF_PHONE; ads += 1) shown.push({ phone, fill: await adOf(phone) });
    }
    await database.query('BEGIN');
    await database.query('SELECT count(*) FROM events.event');
    const tries: LockedMigration[] = [];
    const migrated = migrate({
      url: world.running.databaseUrl,
      schema: 'events',
      dir,
      onLocked: (locked) => tries.push(locked),
    });
    const answers: Promise<Answer>[] = [];
    for (const { phone, fill } of shown) {
      answers.push(phone.impression(fill));
      if (answers.length === SENT_WHILE_READING) await database.query('COMMIT');
      await delay(EVERY_MS);
    }
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200)).to.deep.equal([]);
    await migrated;
    expect(tries.map(({ migration }) => migration)).to.include(CHANGE);
    const { rows } = await database.query("SELECT count(*)::int AS n FROM events.event WHERE probe = ''");
    expect((rows[0] as { n: number }).n).to.be.at.least(shown.length);
    await world.settle();
    recordFault({
      fault: 'a migration changes the table of events beside a reader of 4 s',
      clientsSaw: `none of ${shown.length} impressions at 30 a second failed; the migration gave way ${tries.length} times`,
      recoveredMs: null,
      lost: 0,
      doubled: 0,
      overspent: 0,
    });
  }).timeout(60_000);
});
