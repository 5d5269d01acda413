import { PLANTED_FAULTS } from '../../../events-service/test/support/planted-faults.js';
import type { Outage, Stage } from '../outage.js';

/** Locks what a booking and a closed lease need, in a session of somebody else, while `meanwhile` runs. */
async function blockSettlement({ sql }: Stage, meanwhile: () => Promise<unknown>): Promise<void> {
  const session = await sql.connect();
  try {
    await session.query('BEGIN');
    await session.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await session.query('LOCK TABLE ledger.account, budget.campaign IN EXCLUSIVE MODE');
    await meanwhile();
    await session.query('COMMIT');
  } finally {
    session.release();
  }
}

/** Adds leases of a replica that never came back, whose ads are over. The worker closes them and returns their money. */
async function addOldLeases({ sql }: Stage, count: number): Promise<void> {
  const granted = 1_000_000;
  await sql.query(
    `INSERT INTO budget.lease (campaign_id, minute, run, advertiser_id, granted_nanos, filled_nanos, expires_at)
     SELECT campaign_id, minute, 'gone-' || number, advertiser_id, $1, $1, now() - interval '1 hour'
     FROM (SELECT * FROM budget.lease ORDER BY minute DESC LIMIT 1) AS lease, generate_series(1, $2) AS number`,
    [granted, count],
  );
  const sum = granted * count;
  await sql.query('UPDATE budget.advertiser SET open_nanos = open_nanos + $1', [sum]);
  await sql.query('UPDATE budget.campaign SET open_nanos = open_nanos + $1', [sum]);
  await sql.query(
    'UPDATE budget.campaign_day SET open_nanos = open_nanos + $1 WHERE day = (SELECT max(day) FROM budget.campaign_day)',
    [sum],
  );
}

async function plantFaults({ sql }: Stage): Promise<void> {
  const { rows } = await sql.query<{ id: string }>(
    "SELECT id FROM ledger.transaction WHERE kind = 'impression' ORDER BY id LIMIT 1",
  );
  const first = new Map([...PLANTED_FAULTS].reverse().map((fault) => [fault.check, fault.statement]));
  const session = await sql.connect();
  try {
    await session.query("SET session_replication_role = 'replica'");
    for (const statement of first.values())
      await session.query(statement.replaceAll('$id', `'${rows[0]?.id ?? ''}'`));
    // A deposit that no operator entered: only console-service can find it.
    await session.query("DELETE FROM accounts.deposits WHERE advertiser_id = 'adv_outage'");
    await session.query(
      "INSERT INTO accounts.transfers VALUES ('payout', 'made-up', 'pub_outage', 1, 'nobody', now(), now())",
    );
  } finally {
    await session.query("SET session_replication_role = 'origin'");
    session.release();
  }
}

/** Outages of the settlement and faults of the books. The last one leaves its faults behind. */
export const MONEY_OUTAGES: readonly Outage[] = [
  {
    name: 'settlement-blocked',
    what: 'A session holds the locks that settlement and the closing of leases need; old leases wait.',
    async happen(stage) {
      await blockSettlement(stage, async () => {
        await stage.sql.query(
          `INSERT INTO budget.lease (campaign_id, minute, run, advertiser_id, granted_nanos, expires_at)
           SELECT campaign_id, minute, 'overdue', advertiser_id, 0, now() - interval '1 hour' FROM budget.lease LIMIT 1`,
        );
        await stage.passes(24);
      });
    },
    mend: (stage) => stage.passes(6),
  },
  {
    name: 'settlement-late',
    what: 'A session holds the locks of settlement for eighteen seconds, again and again.',
    async happen(stage) {
      for (let times = 0; times < 2; times += 1) {
        await blockSettlement(stage, () => stage.passes(18));
        await stage.passes(2);
      }
    },
    mend: (stage) => stage.passes(4),
  },
  {
    name: 'event-cannot-be-settled',
    what: 'The ledger refuses the booking of one accepted impression.',
    async happen(stage) {
      const session = await stage.phones.open();
      const ad = session === null ? null : await stage.phones.ask(session);
      if (ad === null) throw new Error('there is no ad');
      await stage.sql.query(`
        CREATE FUNCTION ledger.refuse() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN IF NEW.id = '${ad.request_id}' THEN RAISE check_violation; END IF; RETURN NEW; END $$`);
      await stage.sql.query(
        'CREATE TRIGGER refuse BEFORE INSERT ON ledger.transaction FOR EACH ROW EXECUTE FUNCTION ledger.refuse()',
      );
      await stage.phones.show(ad);
      await stage.passes(12);
    },
    async mend(stage) {
      await stage.sql.query('DROP TRIGGER refuse ON ledger.transaction');
      await stage.sql.query('DROP FUNCTION ledger.refuse()');
      await stage.passes(4);
    },
  },
  {
    name: 'leases-unspent',
    what: 'Six hundred leases of a replica that died end with none of their ads shown.',
    async happen(stage) {
      await addOldLeases(stage, 600);
      await stage.passes(15);
    },
    mend: () => Promise.resolve(),
  },
  {
    name: 'old-day-held',
    what: 'An old day of events has fewer events than were accepted, so it is not dropped.',
    async happen(stage) {
      await stage.sql.query('SELECT events.ensure_partition(current_date - 45)');
      await stage.sql.query('INSERT INTO events.accepted_day VALUES (current_date - 45, 99, 1, 1000)');
      await stage.relaunch('settlement-worker');
      await stage.passes(6);
    },
    async mend(stage) {
      await stage.sql.query('DELETE FROM events.accepted_day WHERE day = current_date - 45');
      // The checks of the books, which the day fails, are made at the start again.
      await stage.relaunch('settlement-worker');
      await stage.passes(4);
    },
  },
  {
    name: 'books-wrong',
    what: 'Every identity of the books has a fault, a deposit is booked that nobody entered, and a payout is not booked.',
    async happen(stage) {
      await plantFaults(stage);
      await Promise.all([stage.relaunch('settlement-worker'), stage.relaunch('console-service')]);
      // The second piece of the check from the rows comes half a minute after the first.
      await stage.passes(38);
    },
    mend: () => Promise.resolve(),
  },
];
