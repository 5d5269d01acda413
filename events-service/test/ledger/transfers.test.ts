import {
  asAdvertiserId,
  asCampaignId,
  asOwnerId,
  asPublisherId,
  dayOf,
  minuteOf,
} from '@placard/service-kit/pure';
import { codeOf } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { makeGetStatement } from '../../src/ledger/usecase/get-statement.js';
import { makeRecordAdjustment } from '../../src/ledger/usecase/record-adjustment.js';
import { makeRecordDeposit } from '../../src/ledger/usecase/record-deposit.js';
import { makeRecordTransfer } from '../../src/ledger/usecase/record-transfer.js';
import type { LeaseWant } from '../../src/budgets/domain/lease.js';
import { balancesOf, faultsOf, openBed, openStores, send, type Bed, type Instance } from '../support/bed.js';

const NORTHWIND = asAdvertiserId('adv_northwind');
const SUNRISE = asPublisherId('pub_sunrise');

describe('payouts and refunds', () => {
  let bed: Bed;
  let service: Instance;
  beforeEach(async () => {
    bed = await openBed();
    service = bed.instance();
  });
  afterEach(() => bed.drop());

  const deposit = (amountNanos: bigint, reference = 'INV-7') =>
    makeRecordDeposit(
      openStores(bed.pool).ledger,
      bed.clock,
    )({ advertiserId: NORTHWIND, amountNanos, reference });
  const transfer = (
    accountKind: 'advertiser' | 'publisher',
    amountNanos: bigint,
    reference: string,
    deadlineAtMs = Infinity,
  ) =>
    makeRecordTransfer(openStores(bed.pool).ledger, bed.clock)(
      {
        accountKind,
        accountId: accountKind === 'publisher' ? SUNRISE : NORTHWIND,
        amountNanos,
        reference,
      },
      deadlineAtMs,
    );
  const payOut = (amountNanos: bigint, reference: string) => transfer('publisher', amountNanos, reference);
  const refund = (amountNanos: bigint, reference: string) => transfer('advertiser', amountNanos, reference);
  /** Three settled impressions: 7,500,000 charged, 5,250,000 earned. */
  const settleSome = async () => {
    await deposit(500_000_000_000n);
    for (let shown = 0; shown < 3; shown += 1) await send(service, 'impression', bed.fill());
    await bed.settle();
    await bed.pool.query(
      'UPDATE budget.lease SET is_ended = true, returned_nanos = granted_nanos - accepted_nanos',
    );
    await bed.pool.query('UPDATE budget.advertiser SET open_nanos = 7500000');
    await bed.pool.query('UPDATE budget.campaign SET open_nanos = 7500000');
    await bed.pool.query('UPDATE budget.campaign_day SET open_nanos = 7500000');
  };
  const want = (fundedNanos: bigint): LeaseWant => ({
    advertiserId: NORTHWIND,
    campaignId: asCampaignId('cmp_spring'),
    minute: minuteOf(bed.clock.now()),
    costNanos: 2_500_000n,
    grantedMaxNanos: 1_000_000_000_000n,
    fundedNanos,
    totalLimitNanos: null,
    dailyLimitNanos: null,
    pace: null,
    expiresAtMs: bed.clock.now() + 60_000,
  });

  it('that waited until nobody waits for them are not booked, because their caller may have got a refusal since', async () => {
    await settleSome();
    const before = await balancesOf(bed.pool);
    const client = await bed.pool.connect();
    try {
      for (const kind of ['publisher', 'advertiser'] as const) {
        await client.query('BEGIN');
        await client.query('SELECT FROM ledger.account FOR UPDATE');
        const asked = codeOf(transfer(kind, 1_000n, 'LATE-1', bed.clock.now() + 1_000));
        const waiting = 'SELECT FROM pg_locks WHERE NOT granted';
        while ((await client.query(waiting)).rowCount === 0);
        bed.clock.advance(1_001);
        await client.query('ROLLBACK');
        expect(await asked, kind).to.equal('deadline_exceeded');
      }
    } finally {
      client.release();
    }
    expect(await balancesOf(bed.pool)).to.deep.equal(before);
    expect(await faultsOf(bed.pool)).to.deep.equal({});
    expect(await payOut(1_000n, 'LATE-1')).to.equal(true);
    expect(await refund(1_000n, 'LATE-1')).to.equal(true);
  });

  it('leave the account and the account of payouts with the opposite amounts, and the platform as it was', async () => {
    await settleSome();
    expect(await payOut(5_000_000n, 'PAY-1')).to.equal(true);
    expect(await refund(100_000_000_000n, 'BACK-1')).to.equal(true);
    expect(await balancesOf(bed.pool)).to.deep.equal({
      'advertiser adv_northwind': 400_000_000_000n - 7_500_000n,
      'publisher pub_sunrise': 250_000n,
      'platform platform': 2_250_000n,
      'deposits deposits': -500_000_000_000n,
      'payouts payouts': 100_005_000_000n,
    });
    const funds = [{ kind: 'advertiser' as const, id: NORTHWIND, nanos: 500_000_000_000n }];
    const transfers = [
      { kind: 'publisher' as const, id: SUNRISE, nanos: 5_000_000n },
      { kind: 'advertiser' as const, id: NORTHWIND, nanos: 100_000_000_000n },
    ];
    expect(await faultsOf(bed.pool, funds, transfers)).to.deep.equal({});
    const check = 'payouts and refunds equal those of the operators';
    expect((await faultsOf(bed.pool, funds, transfers.slice(1)))[check]).to.contain('pub_sunrise');
    const more = [...transfers, { kind: 'publisher' as const, id: asOwnerId('pub_b'), nanos: 1n }];
    expect((await faultsOf(bed.pool, funds, more))[check]).to.contain('pub_b');
  });

  it('are booked once per reference, also when they arrive many times at once', async () => {
    await settleSome();
    for (const [pay, left] of [
      [payOut, 'publisher pub_sunrise'],
      [refund, 'advertiser adv_northwind'],
    ] as const) {
      const before = (await balancesOf(bed.pool))[left];
      const answers = await Promise.all(Array.from({ length: 8 }, () => pay(4_000_000n, 'REF-1')));
      expect(answers.filter(Boolean)).to.have.length(1);
      expect((await balancesOf(bed.pool))[left]).to.equal(before! - 4_000_000n);
      expect(await codeOf(pay(4_000_001n, 'REF-1'))).to.equal('conflict');
    }
    expect(await codeOf(refund(499_000_000_000n, 'REF-1'))).to.equal('conflict');
    expect(await faultsOf(bed.pool)).to.deep.equal({});
  });

  it('beyond the balance are refused, change nothing and leave their reference free', async () => {
    await settleSome();
    const before = await balancesOf(bed.pool);
    expect(await codeOf(payOut(5_250_001n, 'PAY-1'))).to.equal('failed_precondition');
    expect(await codeOf(refund(499_992_500_001n, 'BACK-1'))).to.equal('failed_precondition');
    expect(await balancesOf(bed.pool)).to.deep.equal(before);
    expect(await payOut(5_250_000n, 'PAY-1')).to.equal(true);
    expect(await refund(499_992_500_000n, 'BACK-1')).to.equal(true);
    expect(await faultsOf(bed.pool)).to.deep.equal({});
  });

  it('two at once never take more than the balance', async () => {
    await settleSome();
    const codes = await Promise.all(
      ['A', 'B', 'C'].map((reference) => codeOf(payOut(2_000_000n, reference))),
    );
    expect(codes.filter((code) => code === null)).to.have.length(2);
    const back = await Promise.all(
      ['A', 'B', 'C'].map((reference) => codeOf(refund(200_000_000_000n, reference))),
    );
    expect(back.filter((code) => code === null)).to.have.length(2);
  });

  it('a refund leaves what open leases hold, and is no headroom afterwards', async () => {
    await deposit(10_000_000n);
    const { leases } = openStores(bed.pool);
    const exchange = (fundedNanos: bigint, run: string) =>
      leases.exchange(
        { run, atMs: bed.clock.now(), reports: [], wants: [want(fundedNanos)], peeks: [] },
        bed.clock.now(),
      );
    const [granted] = (await exchange(5_000_000n, 'run-a')).wants;
    expect(granted?.grantedNanos).to.equal(5_000_000n);
    expect(await codeOf(refund(5_000_001n, 'BACK-1'))).to.equal('failed_precondition');
    expect(await refund(5_000_000n, 'BACK-1')).to.equal(true);
    const [refused] = (await exchange(10_000_000n, 'run-b')).wants;
    expect(refused).to.include({ verdict: 'balance', grantedNanos: 0n });
    expect(await faultsOf(bed.pool)).to.deep.equal({});
  });

  it('a refund leaves what is accepted and waits for settlement', async () => {
    await settleSome();
    await bed.pool.query('UPDATE budget.lease SET returned_nanos = returned_nanos - 2500000');
    for (const table of ['advertiser', 'campaign', 'campaign_day'])
      await bed.pool.query(`UPDATE budget.${table} SET open_nanos = open_nanos + 2500000`);
    await send(service, 'impression', bed.fill());
    await bed.pool.query('UPDATE budget.lease SET closed_at = now() WHERE accepted_nanos > 0');
    for (const table of ['advertiser', 'campaign', 'campaign_day'])
      await bed.pool.query(`UPDATE budget.${table} SET open_nanos = 0, closed_nanos = 10000000`);
    expect(await codeOf(refund(499_990_000_001n, 'BACK-1'))).to.equal('failed_precondition');
    expect(await refund(499_990_000_000n, 'BACK-1')).to.equal(true);
    await bed.settle();
    expect((await balancesOf(bed.pool))['advertiser adv_northwind']).to.equal(0n);
  });

  it('without an amount, an account or a reference are refused', async () => {
    for (const wrong of [payOut(0n, 'A'), payOut(-1n, 'A'), refund(1n, ''), refund(1n, 'A\0')])
      expect(await codeOf(wrong)).to.equal('invalid_argument');
  });

  it('have a line of their own in statements', async () => {
    await settleSome();
    await makeRecordAdjustment(
      openStores(bed.pool).ledger,
      bed.clock,
    )({
      accountKind: 'publisher',
      accountId: SUNRISE,
      amountNanos: 1n,
      reference: 'PAY-1',
      reason: 'rounding',
    });
    await payOut(7n, 'PAY-1');
    const day = dayOf(bed.clock.now());
    const read = makeGetStatement(openStores(bed.pool).statement, bed.clock);
    const brief = async (kind: 'publisher' | 'payouts', id: typeof SUNRISE | 'payouts') =>
      (await read({ kind, id }, { fromDay: day, toDay: day + 1 })).lines.map((line) =>
        [line.kind, line.reference, line.counter?.kind, line.counter?.id, line.amountNanos].join(' '),
      );
    expect(await brief('publisher', SUNRISE)).to.deep.equal([
      'adjustment PAY-1 platform platform 1',
      'impression    5250000',
      'payout PAY-1 payouts payouts -7',
    ]);
    expect(await brief('payouts', 'payouts')).to.deep.equal(['payout PAY-1 publisher pub_sunrise 7']);
  });
});
