import type { Pool } from '@placard/service-kit/postgres';

/** A fault of the books, and what finds it. */
export interface PlantedFault {
  readonly what: string;
  /** Makes the fault, with {@link tamper}; `$id` stands for the quoted request id of a settled impression. */
  readonly statement: string;
  /** The identity that fails. */
  readonly check: string;
  /** Text that the description of the fault contains. */
  readonly names: string;
}

const BOOKINGS = 'each booking has exactly its entries';
const STORED = 'accepted impressions are stored and booked';
const DAY_SUMS = 'day sums equal entries';
const ACCEPTED = 'accepted = settled + waiting';

/** Faults of every identity that events-service checks: by the day sums, and from the rows. */
export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    what: 'a changed amount',
    statement:
      "UPDATE ledger.entry SET amount_nanos = amount_nanos + 1 WHERE transaction_id = $id AND account_kind = 'publisher'",
    check: BOOKINGS,
    names: '$id',
  },
  {
    what: 'a changed amount',
    statement:
      "UPDATE ledger.entry SET amount_nanos = amount_nanos + 1 WHERE transaction_id = $id AND account_kind = 'publisher'",
    check: DAY_SUMS,
    names: 'pub_sunrise',
  },
  {
    what: 'a moved share',
    statement:
      "UPDATE ledger.entry SET amount_nanos = amount_nanos + CASE account_kind WHEN 'publisher' THEN 1 ELSE -1 END WHERE transaction_id = $id AND account_kind <> 'advertiser'",
    check: BOOKINGS,
    names: '$id',
  },
  {
    what: 'a removed entry',
    statement: "DELETE FROM ledger.entry WHERE transaction_id = $id AND account_kind = 'platform'",
    check: BOOKINGS,
    names: '$id',
  },
  {
    what: 'removed entries',
    statement: 'DELETE FROM ledger.entry WHERE transaction_id = $id',
    check: BOOKINGS,
    names: '$id',
  },
  {
    what: 'entries on another day',
    statement: 'UPDATE ledger.entry SET day = day - 1 WHERE transaction_id = $id',
    check: BOOKINGS,
    names: '$id',
  },
  {
    what: 'entries of no booking',
    statement:
      "INSERT INTO ledger.entry VALUES ('deposit', 'made-up', 'deposits', 'deposits', '1999-01-01', -1), ('deposit', 'made-up', 'advertiser', 'adv_x', '1999-01-01', 1)",
    check: BOOKINGS,
    names: 'made-up',
  },
  {
    what: 'a removed booking',
    statement: 'DELETE FROM ledger.transaction WHERE id = $id',
    check: STORED,
    names: '$id',
  },
  {
    what: 'a removed booking',
    statement: 'DELETE FROM ledger.transaction WHERE id = $id',
    check: BOOKINGS,
    names: '$id',
  },
  {
    what: 'a removed event',
    statement: 'DELETE FROM events.event WHERE request_id = $id',
    check: BOOKINGS,
    names: '$id',
  },
  {
    what: 'a removed event',
    statement: 'DELETE FROM events.event WHERE request_id = $id',
    check: STORED,
    names: '2 (',
  },
  {
    what: 'a removed waiting event',
    statement: 'UPDATE events.accepted_day SET impressions = impressions + 1',
    check: ACCEPTED,
    names: '4 impressions',
  },
  {
    what: 'a booking of what still waits',
    statement: 'UPDATE events.event SET settled_at = NULL WHERE request_id = $id',
    check: ACCEPTED,
    names: '1 (0.002500000) wait',
  },
  {
    what: 'a booking of what still waits',
    statement: 'UPDATE events.event SET settled_at = NULL WHERE request_id = $id',
    check: BOOKINGS,
    names: '$id',
  },
  {
    what: 'a lost partition',
    statement:
      "DO $$ BEGIN EXECUTE (SELECT 'DROP TABLE ' || tableoid::regclass FROM events.event LIMIT 1); END $$",
    check: ACCEPTED,
    names: 'are gone',
  },
  {
    what: 'another advertiser',
    statement:
      "UPDATE ledger.entry SET account_id = 'adv_x' WHERE transaction_id = $id AND account_kind = 'advertiser'",
    check: BOOKINGS,
    names: '$id',
  },
  {
    what: 'a changed balance',
    statement: "UPDATE ledger.account SET balance_nanos = balance_nanos + 1 WHERE kind = 'advertiser'",
    check: 'advertiser balance = deposits + adjustments - settled',
    names: 'adv_northwind',
  },
  {
    what: 'a changed balance',
    statement: "UPDATE ledger.account SET balance_nanos = balance_nanos + 1 WHERE kind = 'platform'",
    check: 'accounts sum to zero',
    names: '0.000000001',
  },
  {
    what: 'a changed balance',
    statement: "UPDATE ledger.account SET balance_nanos = balance_nanos + 1 WHERE kind = 'publisher'",
    check: 'balances equal day sums',
    names: 'pub_sunrise',
  },
  {
    what: 'a changed day sum',
    statement: "UPDATE ledger.account_day SET sum_nanos = sum_nanos - 1 WHERE account_kind = 'publisher'",
    check: DAY_SUMS,
    names: 'pub_sunrise',
  },
  {
    what: 'a changed day sum',
    statement: "UPDATE ledger.account_day SET entries = entries - 1 WHERE account_kind = 'publisher'",
    check: 'each day is of whole bookings',
    names: 'publishers 2, platform 3',
  },
  {
    what: 'a changed report',
    statement: 'UPDATE stats.event_hour SET spend_nanos = spend_nanos + 1',
    check: 'report totals equal the ledger',
    names: 'adv_northwind',
  },
  {
    what: 'a changed count',
    statement: 'UPDATE stats.event_hour SET impressions = impressions + 1',
    check: 'report totals equal the ledger',
    names: 'pub_sunrise',
  },
  {
    what: 'a changed spend of a campaign',
    statement: 'UPDATE stats.campaign_day SET spend_nanos = 0',
    check: 'campaign spend equals the ledger',
    names: 'adv_northwind',
  },
  {
    what: 'granted money without a lease',
    statement: 'UPDATE budget.campaign_day SET open_nanos = open_nanos + 1',
    check: 'budget sums equal leases',
    names: 'cmp_spring',
  },
  {
    what: 'a sum of a campaign that its days do not have',
    statement: 'UPDATE budget.campaign SET closed_nanos = closed_nanos - 1',
    check: 'budget sums equal leases',
    names: 'cmp_spring',
  },
  {
    what: 'a sum of an advertiser that its campaigns do not have',
    statement: 'UPDATE budget.advertiser SET open_nanos = open_nanos - 1',
    check: 'budget sums equal leases',
    names: 'adv_northwind',
  },
  {
    what: 'a lease with more impressions than it was granted',
    statement: 'UPDATE budget.lease SET granted_nanos = accepted_nanos - 1',
    check: 'budget sums equal leases',
    names: 'run-of-tests',
  },
  {
    what: 'spend that a budget does not count',
    statement: 'UPDATE budget.lease SET accepted_nanos = accepted_nanos - 1',
    check: 'budgets equal accepted spend',
    names: 'cmp_spring',
  },
  {
    what: 'spend that a lease does not count',
    statement: 'UPDATE budget.lease SET accepted_nanos = accepted_nanos - 1',
    check: 'leases equal impressions',
    names: 'run-of-tests',
  },
  {
    what: 'a statement of a month without entries',
    statement:
      "INSERT INTO ledger.statement VALUES (1, '2000-01-01', 'advertiser', 'adv_x', 0, 0, 0, 0, 0, 0, 0)",
    check: 'statements of closed months equal the ledger',
    names: 'adv_x',
  },
  {
    what: 'a gap between statements',
    statement:
      "INSERT INTO ledger.statement VALUES (2, '2000-01-01', 'advertiser', 'adv_y', 0, 0, 0, 0, 0, 0, 0)",
    check: 'statements are numbered without a gap',
    names: 'statement 2 follows statement 0',
  },
  {
    what: 'a booking that is younger than the close of its month',
    statement:
      "INSERT INTO ledger.closed_month SELECT DISTINCT date_trunc('month', day::timestamp), now() - interval '1 day', 0 FROM ledger.transaction",
    check: 'nothing is booked into a closed month',
    names: '$id',
  },
  {
    what: 'a refund that budgets do not count',
    statement: 'UPDATE budget.advertiser SET refunded_nanos = 1, closed_nanos = closed_nanos + 1',
    check: 'budget sums equal leases',
    names: '0.000000001 as refunded to adv_northwind',
  },
];

/** Changes rows with the triggers disabled that would refuse it. */
export async function tamper(pool: Pool, statement: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SET session_replication_role = 'replica'");
    await client.query(statement);
  } finally {
    await client.query("SET session_replication_role = 'origin'");
    client.release();
  }
}
