import { sqlStateOf } from '@placard/service-kit/postgres';
import { DAY_MS, asAdvertiserId, asPublisherId, dayOf } from '@placard/service-kit/pure';
import { codeOf } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { makeGetStatement } from '../../src/ledger/usecase/get-statement.js';
import { makeRecordAdjustment } from '../../src/ledger/usecase/record-adjustment.js';
import { makeRecordDeposit } from '../../src/ledger/usecase/record-deposit.js';
import { makeRecordTransfer } from '../../src/ledger/usecase/record-transfer.js';
import { monthOf } from '../../src/months/domain/month.js';
import { makeCloseMonth } from '../../src/months/usecase/close-month.js';
import { makeListStatements } from '../../src/months/usecase/list-statements.js';
import { faultsOf, openBed, openStores, send, type Bed, type Instance } from '../support/bed.js';
import { tamper } from '../support/planted-faults.js';

const NORTHWIND = asAdvertiserId('adv_northwind');
const SUNRISE = asPublisherId('pub_sunrise');

describe('closed months', () => {
  let bed: Bed;
  let service: Instance;
  /** The month before the machine's, and the first instant after it. */
  let month: ReturnType<typeof monthOf>;
  let endMs: number;
  beforeEach(async () => {
    bed = await openBed();
    service = bed.instance();
    month = monthOf(monthOf(dayOf(bed.clock.now())).fromDay - 1);
    endMs = month.toDay * DAY_MS;
    bed.clock.set(endMs - 1_000);
  });
  afterEach(() => bed.drop());

  const deposit = (amountNanos: bigint, reference: string) =>
    makeRecordDeposit(
      openStores(bed.pool).ledger,
      bed.clock,
    )({ advertiserId: NORTHWIND, amountNanos, reference });
  const payOut = (amountNanos: bigint, reference: string) =>
    makeRecordTransfer(openStores(bed.pool).ledger, bed.clock)(
      { accountKind: 'publisher', accountId: SUNRISE, amountNanos, reference },
      Infinity,
    );
  /** Books the other earnings of a publisher, or corrects them. */
  const earn = (amountNanos: bigint, reference: string) =>
    makeRecordAdjustment(
      openStores(bed.pool).ledger,
      bed.clock,
    )({ accountKind: 'publisher', accountId: SUNRISE, amountNanos, reference, reason: 'x' });
  const close = (minimumPayoutNanos: bigint | null = null, firstDay = month.fromDay) =>
    makeCloseMonth(openStores(bed.pool).months, bed.clock)({ firstDay, minimumPayoutNanos });
  const list = async (isDueOnly = false, firstDay = month.fromDay) =>
    makeListStatements(openStores(bed.pool).months)({ firstDay, afterNumber: 0n, rowsMax: 1_000, isDueOnly });
  const brief = async (isDueOnly = false, firstDay = month.fromDay) =>
    (await list(isDueOnly, firstDay)).statements.map(
      ({ number, account, openingNanos, closingNanos, dueNanos }) =>
        [number, account.id, openingNanos, closingNanos, dueNanos ?? '-'].join(' '),
    );
  const show = async () => {
    await send(service, 'impression', bed.fill());
  };
  const bookedDays = async (): Promise<readonly string[]> => {
    const { rows } = await bed.pool.query<{ booked: string }>(
      "SELECT kind || ' ' || day - $1::date AS booked FROM ledger.transaction ORDER BY day, kind, id",
      [new Date(endMs).toISOString().slice(0, 10)],
    );
    return rows.map((row) => row.booked);
  };

  it('have statements of all accounts, numbered on from month to month', async () => {
    await deposit(10_000_000n, 'INV-1');
    await show();
    await bed.settle();
    bed.clock.set(endMs);
    await payOut(250_000n, 'PAY-1');
    const { isNew, month: closed } = await close(1_000_000n);
    expect(isNew).to.equal(true);
    expect(closed.numbers).to.deep.equal({ first: 1n, last: 4n });
    expect(await brief()).to.deep.equal([
      '1 adv_northwind 0 7500000 -',
      '2 pub_sunrise 0 1750000 1500000',
      '3 platform 0 750000 -',
      '4 deposits 0 -10000000 -',
    ]);
    expect(await brief(true)).to.deep.equal(['2 pub_sunrise 0 1750000 1500000']);
    const next = monthOf(month.toDay);
    bed.clock.set(next.toDay * DAY_MS);
    expect((await close(1_500_001n, next.fromDay)).month.numbers).to.deep.equal({ first: 5n, last: 9n });
    expect((await brief(false, next.fromDay)).slice(-1)).to.deep.equal(['9 payouts 0 250000 -']);
    expect(await brief(true, next.fromDay)).to.deep.equal([]);
    const read = makeGetStatement(openStores(bed.pool).statement, bed.clock);
    const account = { kind: 'publisher' as const, id: SUNRISE };
    expect((await read(account, month)).number).to.equal(2n);
    expect((await read(account, { ...month, toDay: month.toDay - 1 })).number).to.equal(null);
    expect(await faultsOf(bed.pool)).to.deep.equal({});
  });

  it('show what is still open: payouts since the close are taken off, those before it are not taken off twice', async () => {
    await deposit(10_000_000n, 'INV-1');
    await show();
    await bed.settle();
    bed.clock.set(endMs);
    await payOut(250_000n, 'PAY-1');
    await close(1_000_000n);
    const open = async (isDueOnly = false) =>
      (await list(isDueOnly)).statements.map(({ account, openNanos }) => `${account.id} ${openNanos ?? '-'}`);
    expect(await open()).to.deep.equal([
      'adv_northwind -',
      'pub_sunrise 1500000',
      'platform -',
      'deposits -',
    ]);
    await payOut(1_400_000n, 'PAY-2');
    expect(await open(true)).to.deep.equal(['pub_sunrise 100000']);
    await payOut(100_000n, 'PAY-3');
    expect(await open(true)).to.deep.equal([]);
    expect((await open())[1]).to.equal('pub_sunrise 0');
    expect((await brief())[1]).to.equal('2 pub_sunrise 0 1750000 1500000');
  });

  describe('of which the publisher was paid', () => {
    let next: ReturnType<typeof monthOf>;
    beforeEach(async () => {
      next = monthOf(month.toDay);
      await earn(100n, 'E-1');
      bed.clock.set(endMs);
    });

    /** What was due to the publisher at the close of a month, and what of it is open now. */
    const due = async ({ fromDay }: { readonly fromDay: number } = month) => {
      const { statements } = await list(false, fromDay);
      const { dueNanos, openNanos } = statements.find(({ account }) => account.id === SUNRISE) ?? {};
      return `${dueNanos ?? '-'} ${openNanos ?? '-'}`;
    };
    const closeNext = async () => {
      bed.clock.set(next.toDay * DAY_MS);
      await close(null, next.fromDay);
    };

    it('after their end owe nothing more at their close, whatever was earned since', async () => {
      await payOut(100n, 'PAY-1');
      await earn(100n, 'E-2');
      await close();
      expect(await due()).to.equal('0 0');
      expect(await brief(true)).to.deep.equal([]);
      await closeNext();
      expect(await due(next)).to.equal('100 100');
      expect(await due()).to.equal('0 0');
    });

    it('after their end owe nothing more at their close when nothing was earned since', async () => {
      await payOut(100n, 'PAY-1');
      await close();
      expect(await due()).to.equal('0 0');
      await closeNext();
      expect(await due(next)).to.equal('0 0');
    });

    it('in part after their end owe the rest, and earnings since then wait for the next month', async () => {
      await payOut(60n, 'PAY-1');
      await earn(500n, 'E-2');
      await close();
      expect(await due()).to.equal('40 40');
      await payOut(40n, 'PAY-2');
      expect(await due()).to.equal('40 0');
      await closeNext();
      expect(await due(next)).to.equal('500 500');
    });

    it('more than they owed, from earnings since their end, owe nothing', async () => {
      await earn(500n, 'E-2');
      await payOut(150n, 'PAY-1');
      await close();
      expect(await due()).to.equal('0 0');
      await closeNext();
      expect(await due(next)).to.equal('450 450');
    });

    it('after their close are not due in the next month again', async () => {
      await earn(30n, 'E-2');
      await close();
      expect(await due()).to.equal('100 100');
      await payOut(100n, 'PAY-1');
      expect(await due()).to.equal('100 0');
      await closeNext();
      expect(await due(next)).to.equal('30 30');
    });

    it('owe no more than the balance after a correction, and a correction is taken from earnings since first', async () => {
      await payOut(60n, 'PAY-1');
      await earn(-30n, 'C-1');
      await close();
      expect(await due()).to.equal('10 10');
      await earn(200n, 'E-2');
      await closeNext();
      expect(await due(next)).to.equal('210 210');
      await earn(70n, 'E-3');
      await earn(-50n, 'C-2');
      const last = monthOf(next.toDay);
      bed.clock.set(last.toDay * DAY_MS);
      await close(null, last.fromDay);
      expect(await due(last)).to.equal('230 230');
    });

    it('and that are both closed late owe each amount once: a payout counts for both', async () => {
      await earn(50n, 'E-2');
      bed.clock.set(next.toDay * DAY_MS);
      await payOut(100n, 'PAY-1');
      await earn(1_000n, 'E-3');
      await close();
      await close(null, next.fromDay);
      expect([await due(), await due(next)]).to.deep.equal(['0 0', '50 50']);
      await payOut(50n, 'PAY-2');
      expect([await due(), await due(next)]).to.deep.equal(['0 0', '50 0']);
    });

    it('after two late closes leave open in neither month what was paid for one of them', async () => {
      await earn(50n, 'E-2');
      bed.clock.set(next.toDay * DAY_MS);
      await earn(1_000n, 'E-3');
      await close();
      await close(null, next.fromDay);
      expect([await due(), await due(next)]).to.deep.equal(['100 100', '150 150']);
      await payOut(100n, 'PAY-1');
      expect([await due(), await due(next)]).to.deep.equal(['100 0', '150 50']);
      await payOut(50n, 'PAY-2');
      expect([await due(), await due(next)]).to.deep.equal(['100 0', '150 0']);
    });

    it('in the next month for an older one keep that payout out of the next month', async () => {
      await payOut(100n, 'PAY-1');
      await earn(50n, 'E-2');
      bed.clock.set(next.toDay * DAY_MS);
      await close();
      await close(null, next.fromDay);
      expect([await due(), await due(next)]).to.deep.equal(['0 0', '50 50']);
    });
  });

  it('closed again are as they were, and another minimum is a conflict', async () => {
    await deposit(10n, 'INV-1');
    bed.clock.set(endMs);
    const answers = await Promise.all(Array.from({ length: 4 }, () => close(5n)));
    expect(answers.filter(({ isNew }) => isNew)).to.have.length(1);
    const before = await list();
    await deposit(10n, 'INV-2');
    expect((await close()).isNew).to.equal(false);
    expect((await close(5n)).month).to.deep.equal(before.month);
    expect(await codeOf(close(6n))).to.equal('conflict');
    expect(await list()).to.deep.equal(before);
  });

  it('cannot be closed before they are over and settled, or out of order', async () => {
    expect(await codeOf(close())).to.equal('failed_precondition');
    await deposit(10n, 'INV-1');
    await show();
    expect(await codeOf(close())).to.equal('failed_precondition');
    bed.clock.set(endMs);
    expect(await codeOf(close())).to.equal('failed_precondition');
    await bed.settle();
    for (const wrong of [month.toDay, monthOf(month.fromDay - 1).fromDay])
      expect(await codeOf(close(null, wrong))).to.equal('failed_precondition');
    for (const wrong of [month.fromDay + 1, -1, 2 ** 60])
      expect(await codeOf(close(null, wrong))).to.equal('invalid_argument');
    expect(await codeOf(close(-1n))).to.equal('invalid_argument');
    expect(await codeOf(list())).to.equal('not_found');
    expect((await close()).isNew).to.equal(true);
  });

  it('get no booking any more: late impressions and bookings count on the first open day', async () => {
    await deposit(10_000_000n, 'INV-1');
    const fill = bed.fill();
    bed.clock.set(endMs);
    await close();
    bed.clock.set(endMs - 1_000);
    await send(service, 'impression', fill);
    await deposit(5n, 'INV-2');
    await bed.settle();
    expect(await bookedDays()).to.deep.equal(['deposit -1', 'deposit 0', 'impression 0']);
    const { rows } = await bed.pool.query<{ hour: number }>('SELECT hour FROM stats.event_hour');
    expect(rows).to.deep.equal([{ hour: endMs }]);
    expect(await faultsOf(bed.pool)).to.deep.equal({});
  });

  it('refuse a booking of any release in the database', async () => {
    await deposit(10n, 'INV-1');
    bed.clock.set(endMs);
    await close();
    const booking = bed.pool.query(
      "INSERT INTO ledger.transaction (kind, id, day, occurred_at) VALUES ('deposit', 'x', $1::date, now())",
      [new Date(endMs - 1).toISOString().slice(0, 10)],
    );
    expect(await booking.catch(sqlStateOf)).to.equal('40001');
    for (const change of ['UPDATE ledger.statement SET number = 7', 'DELETE FROM ledger.closed_month'])
      expect(await bed.pool.query(change).catch(() => 'refused'), change).to.equal('refused');
  });

  it('wait for bookings under way', async () => {
    await deposit(10n, 'INV-1');
    bed.clock.set(endMs);
    const client = await bed.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(
        "INSERT INTO ledger.transaction (kind, id, day, occurred_at) VALUES ('deposit', 'x', now()::date, now())",
      );
      let isClosed = false;
      const closing = close().then(({ isNew }) => (isClosed = isNew));
      const waiting = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
      while ((await client.query(waiting)).rowCount === 0) expect(isClosed).to.equal(false);
      await client.query('ROLLBACK');
      expect(await closing).to.equal(true);
    } finally {
      client.release();
    }
  });

  it('with a changed statement, a missing one, or a later booking are found by the verification', async () => {
    await deposit(10_000_000n, 'INV-1');
    await show();
    await bed.settle();
    bed.clock.set(endMs);
    await close();
    const day = `'${new Date(endMs - DAY_MS).toISOString().slice(0, 10)}'`;
    const equal = 'statements of closed months equal the ledger';
    const numbers = 'statements are numbered without a gap';
    for (const [statement, undo, check, names] of [
      [
        'UPDATE ledger.statement SET opening_nanos = opening_nanos + 1, closing_nanos = closing_nanos + 1 WHERE number = 2',
        'UPDATE ledger.statement SET opening_nanos = opening_nanos - 1, closing_nanos = closing_nanos - 1 WHERE number = 2',
        equal,
        'pub_sunrise',
      ],
      [
        'UPDATE ledger.statement SET number = 20 WHERE number = 2',
        'UPDATE ledger.statement SET number = 2 WHERE number = 20',
        numbers,
        'statement 3 follows statement 1',
      ],
      [
        `UPDATE ledger.account_day SET sum_nanos = sum_nanos + 1 WHERE account_kind = 'platform' AND day = ${day}`,
        `UPDATE ledger.account_day SET sum_nanos = sum_nanos - 1 WHERE account_kind = 'platform' AND day = ${day}`,
        equal,
        'platform',
      ],
      [
        `UPDATE ledger.transaction SET booked_at = now() + interval '1 hour' WHERE kind = 'deposit'`,
        'UPDATE ledger.transaction SET booked_at = occurred_at',
        'nothing is booked into a closed month',
        'deposit INV-1',
      ],
      ['DELETE FROM ledger.statement WHERE number = 4', 'SELECT', equal, 'deposits has no statement'],
      ['DELETE FROM ledger.closed_month', 'SELECT', numbers, 'has statements and is not closed'],
    ] as const) {
      await tamper(bed.pool, statement);
      expect((await faultsOf(bed.pool))[check], statement).to.contain(names);
      await tamper(bed.pool, undo);
    }
  });
});
