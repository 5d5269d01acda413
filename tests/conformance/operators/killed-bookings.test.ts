import { randomUUID } from 'node:crypto';
import { OPERATOR_KEY } from '@placard/local';
import { expect } from 'chai';
import { query } from '../../driver/database.js';
import { pass } from '../../driver/phone.js';
import { World } from '../../driver/world.js';

// Its own processes are killed, and no other test of this product needs console-service at the same time.
const world = new World('faults');
const publisher = world.publisher();
const advertiser = world.advertiser({ balance: 100 });

const NANOS = 1_000_000_000n;
/** Milliseconds from the call to the kill: before the request arrives, between its steps, after its answer. */
const KILLED_AFTER_MS = [2, 8, 20, 60];
const REPEAT_MS = 50;
const ATTEMPTS_MAX = 400;

interface Booking {
  readonly path: string;
  readonly body: object;
}

interface Outcome {
  readonly status: number;
  readonly isNew: boolean | null;
  readonly code: string | null;
  readonly detail: string | null;
}

/** Sends a booking once. Null: nobody answered. */
async function sendOnce({ path, body }: Booking, key: string): Promise<Outcome | null> {
  try {
    const answer = await fetch(`http://${world.running.consoleAddress}/manage/v1${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${OPERATOR_KEY}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body: JSON.stringify(body),
    });
    const {
      is_new: isNew = null,
      code = null,
      detail = null,
    } = (await answer.json()) as {
      readonly is_new?: boolean;
      readonly code?: string;
      readonly detail?: string;
    };
    return { status: answer.status, isNew, code, detail };
  } catch {
    return null;
  }
}

/**
 * Repeats a booking with its key until an answer comes, as a client does that does not know the outcome. A key whose call was
 * killed stays in use for some seconds (409); then a new key asks for the same booking at once.
 */
async function repeated(booking: Booking): Promise<Outcome> {
  let key = randomUUID();
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const outcome = await sendOnce(booking, key);
    if (outcome?.status === 200) return outcome;
    if (outcome?.code === 'conflict') key = randomUUID();
    else expect(outcome?.status ?? 503, JSON.stringify(outcome)).to.be.oneOf([503, 504]);
    await pass(REPEAT_MS);
  }
  throw new Error(`no outcome of ${booking.path}`);
}

async function killed(bookings: readonly Booking[], afterMs: number): Promise<readonly Outcome[]> {
  const outcomes = bookings.map(repeated);
  await pass(afterMs);
  await world.running.kill('console-service');
  await world.running.restart('console-service');
  return Promise.all(outcomes);
}

/** Copies an adjustment of today to the last day of the month before, so that there is a month to close. */
const COPY_BOOKING = `
  WITH earlier AS (SELECT (date_trunc('month', now() AT TIME ZONE 'UTC') - interval '1 day')::date AS day),
  adjusted AS (
    INSERT INTO accounts.adjustments (reference, account_kind, account_id, amount_nanos, reason, made_at, booked_at)
    SELECT reference || '-earlier', account_kind, account_id, amount_nanos, reason, made_at, booked_at
    FROM accounts.adjustments WHERE reference = $1
  ),
  booked AS (
    INSERT INTO ledger.transaction (kind, id, day, occurred_at, reason)
    SELECT kind, id || '-earlier', earlier.day, occurred_at, reason
    FROM ledger.transaction CROSS JOIN earlier WHERE kind = 'adjustment' AND id = $1
  ),
  lines AS (
    INSERT INTO ledger.entry (kind, transaction_id, account_kind, account_id, day, amount_nanos)
    SELECT kind, transaction_id || '-earlier', account_kind, account_id, earlier.day, amount_nanos
    FROM ledger.entry CROSS JOIN earlier WHERE kind = 'adjustment' AND transaction_id = $1
    RETURNING account_kind, account_id, day, amount_nanos
  ),
  days AS (
    INSERT INTO ledger.account_day (account_kind, account_id, day, transaction_kind, sum_nanos, entries)
    SELECT account_kind, account_id, day, 'adjustment', amount_nanos, 1 FROM lines
  )
  UPDATE ledger.account SET balance_nanos = balance_nanos + lines.amount_nanos
  FROM lines WHERE kind = lines.account_kind AND id = lines.account_id`;

describe('a booking whose console-service is killed', () => {
  world.use();

  before('the publisher has earned something', async () => {
    const words = ['--reference', 'earned', '--reason', 'test', '--yes'];
    const adjusted = await world.placard('ledger', 'adjust', `publisher:${publisher.id}`, '50', ...words);
    expect(adjusted.status, adjusted.stderr).to.equal(0);
    // Then it is booked.
    await world.settle();
    await query(world.running.databaseUrl, COPY_BOOKING, ['earned']);
    await world.settle();
  }).timeout(60_000);

  for (const [index, afterMs] of KILLED_AFTER_MS.entries())
    it(`is booked once and whole, ${afterMs} ms after it was sent`, async () => {
      const body = { amount: '1.00', reference: `K${index}` };
      const bookings = [
        { path: `/publishers/${publisher.id}/payouts`, body },
        { path: `/advertisers/${advertiser.id}/refunds`, body: { ...body, amount: '2.00' } },
      ];
      for (const { status } of await killed(bookings, afterMs)) expect(status).to.equal(200);
      for (const booking of bookings)
        expect(await sendOnce(booking, randomUUID())).to.include({ status: 200, isNew: false });
      const audited = await query<{ action: string }>(
        world.running.databaseUrl,
        `SELECT action FROM audit.changes WHERE after ->> 'reference' = $1 ORDER BY action`,
        [body.reference],
      );
      expect(audited.map(({ action }) => action)).to.deep.equal(['paid_out', 'refunded']);
      await world.settle();
      const balances = await world.balances();
      const times = BigInt(index + 1);
      expect(balances.get(`publisher/${publisher.id}`)).to.equal((100n - times) * NANOS);
      expect(balances.get(`advertiser/${advertiser.id}`)).to.equal((100n - 2n * times) * NANOS);
      expect(balances.get('payouts/payouts')).to.equal(3n * times * NANOS);
    }).timeout(60_000);

  it('of a closed month is closed once, with statements without a gap', async () => {
    const now = new Date();
    const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0));
    const month = last.toISOString().slice(0, 7);
    const close = { path: `/ledger/months/${month}/close`, body: {} };
    const [outcome] = await killed([close], 10);
    expect(outcome?.status).to.equal(200);
    expect(await sendOnce(close, randomUUID())).to.include({ status: 200, isNew: false });
    const numbers = await query<{ number: string }>(
      world.running.databaseUrl,
      'SELECT number FROM ledger.statement WHERE month = $1 ORDER BY number',
      [`${month}-01`],
    );
    expect(numbers.map(({ number }) => Number(number))).to.deep.equal(numbers.map((_, index) => index + 1));
    expect(numbers).to.have.length.above(0);
    const closes = await query(
      world.running.databaseUrl,
      'SELECT FROM audit.changes WHERE action = $1 AND object_id = $2',
      ['closed', month],
    );
    expect(closes).to.have.length(1);
    await world.settle();
  }).timeout(60_000);
});
