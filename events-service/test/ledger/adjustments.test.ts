import {
  CALENDAR_END_MS,
  DAY_MS,
  asAdvertiserId,
  asAppId,
  asCampaignId,
  dayOf,
  dayToIso,
  asPublisherId,
} from '@placard/service-kit/pure';
import { codeOf } from '@placard/service-kit/testing';
import { expect } from 'chai';
import type { StatementAccount, StatementLine } from '../../src/ledger/domain/statement.js';
import { makeGetStatement } from '../../src/ledger/usecase/get-statement.js';
import { makeRecordAdjustment } from '../../src/ledger/usecase/record-adjustment.js';
import { makeRecordDeposit } from '../../src/ledger/usecase/record-deposit.js';
import { balancesOf, faultsOf, openBed, openStores, send, type Bed, type Instance } from '../support/bed.js';

const NORTHWIND = advertiser('adv_northwind');
const SUNRISE = { kind: 'publisher' as const, id: asPublisherId('pub_sunrise') };

function advertiser(id: string) {
  return { kind: 'advertiser' as const, id: asAdvertiserId(id) };
}

describe('adjustments and statements', () => {
  let bed: Bed;
  let service: Instance;
  beforeEach(async () => {
    bed = await openBed();
    service = bed.instance();
  });
  afterEach(() => bed.drop());

  const deposit = (amountNanos: bigint, reference: string, advertiserId = 'adv_northwind') =>
    makeRecordDeposit(
      openStores(bed.pool).ledger,
      bed.clock,
    )({
      advertiserId: asAdvertiserId(advertiserId),
      amountNanos,
      reference,
    });
  const adjust = (
    amountNanos: bigint,
    reference: string,
    { kind, id }: typeof NORTHWIND | typeof SUNRISE = NORTHWIND,
    reason = 'Ticket 4',
  ) =>
    makeRecordAdjustment(
      openStores(bed.pool).ledger,
      bed.clock,
    )({ accountKind: kind, accountId: id, amountNanos, reference, reason });
  const show = async (count: number, overrides: Parameters<Bed['fill']>[0] = {}) => {
    for (let shown = 0; shown < count; shown += 1) await send(service, 'impression', bed.fill(overrides));
    await bed.settle();
  };
  const today = (): number => dayOf(bed.clock.now());
  const statement = (account: StatementAccount, fromDay = today(), toDay = today() + 1) =>
    makeGetStatement(openStores(bed.pool).statement, bed.clock)(account, { fromDay, toDay });

  it('an adjustment is booked against the platform, once per reference, and the books still add up', async () => {
    await deposit(500_000_000_000n, 'INV-7');
    await show(3);
    const answers = await Promise.all(Array.from({ length: 8 }, () => adjust(-1_000_000n, 'T-1')));
    expect(answers.filter(Boolean)).to.have.length(1);
    expect(await adjust(7n, 'T-2', SUNRISE)).to.equal(true);
    expect(await balancesOf(bed.pool)).to.deep.equal({
      'advertiser adv_northwind': 500_000_000_000n - 7_500_000n - 1_000_000n,
      'publisher pub_sunrise': 5_250_000n + 7n,
      'platform platform': 2_250_000n + 1_000_000n - 7n,
      'deposits deposits': -500_000_000_000n,
      'payouts payouts': 0n,
    });
    const given = [
      { ...NORTHWIND, nanos: 499_999_000_000n },
      { ...SUNRISE, nanos: 7n },
    ];
    expect(await faultsOf(bed.pool, given)).to.deep.equal({});
    expect(await faultsOf(bed.pool, given.slice(0, 1))).to.have.all.keys([
      'deposits and adjustments equal the accounts’ funds',
    ]);
  });

  it('a reference that is already booked with another account or amount is a conflict and changes nothing', async () => {
    await adjust(-5n, 'T-1');
    expect(await codeOf(adjust(5n, 'T-1'))).to.equal('conflict');
    expect(await codeOf(adjust(-5n, 'T-1', SUNRISE))).to.equal('conflict');
    expect(await codeOf(adjust(-5n, 'T-1', advertiser('adv_b')))).to.equal('conflict');
    expect(await balancesOf(bed.pool)).to.include({
      'advertiser adv_northwind': -5n,
      'platform platform': 5n,
    });
    expect(await deposit(5n, 'T-1')).to.equal(true);
  });

  it('an adjustment without an amount, an account or a reason is refused, and its reference stays free', async () => {
    for (const wrong of [
      adjust(0n, 'T-1'),
      adjust(1n, ''),
      adjust(1n, 'T-1', advertiser('')),
      adjust(1n, 'T-1', NORTHWIND, ''),
      adjust(1n, 'T-1', NORTHWIND, 'a\0'),
    ])
      expect(await codeOf(wrong)).to.equal('invalid_argument');
    expect(await adjust(1n, 'T-1')).to.equal(true);
  });

  it('an advertiser below zero is counted as overdrawn', async () => {
    await deposit(10n, 'INV-7');
    await adjust(-15n, 'T-1');
    await adjust(-4n, 'T-2', advertiser('adv_b'));
    await adjust(-100n, 'T-3', SUNRISE);
    expect(await openStores(bed.pool).ledger.totals()).to.deep.equal({ sumNanos: 0n, overdrawnNanos: 9n });
  });

  it('a statement leads line by line from the opening to the closing balance', async () => {
    const startMs = bed.clock.now();
    bed.clock.set(startMs - DAY_MS);
    await deposit(1_000n, 'INV-1');
    await adjust(-1n, 'T-1');
    bed.clock.set(startMs);
    await deposit(50_000_000n, 'INV-2');
    await show(2);
    await show(1, { campaignId: asCampaignId('cmp_b'), costNanos: 3n, publisherNanos: 2n });
    await show(1, { advertiserId: asAdvertiserId('adv_b') });
    await adjust(-7n, 'T-2', NORTHWIND, 'shown to robots');
    const { openingNanos, lines, closingNanos } = await statement(NORTHWIND);
    expect(openingNanos).to.equal(999n);
    const none = {
      day: dayToIso(today()),
      reference: null,
      counter: null,
      reason: null,
      campaignId: null,
      appId: null,
      impressions: 0n,
    };
    expect(lines).to.deep.equal([
      {
        ...none,
        kind: 'adjustment',
        reference: 'T-2',
        reason: 'shown to robots',
        amountNanos: -7n,
        counter: { kind: 'platform', id: 'platform' },
      },
      {
        ...none,
        kind: 'deposit',
        reference: 'INV-2',
        amountNanos: 50_000_000n,
        counter: { kind: 'deposits', id: 'deposits' },
      },
      { ...none, kind: 'impression', campaignId: 'cmp_b', impressions: 1n, amountNanos: -3n },
      { ...none, kind: 'impression', campaignId: 'cmp_spring', impressions: 2n, amountNanos: -5_000_000n },
    ]);
    expect(closingNanos).to.equal(999n + 50_000_000n - 3n - 5_000_000n - 7n);
    expect((await statement(NORTHWIND, today() - 1, today())).closingNanos).to.equal(openingNanos);
    expect((await statement(NORTHWIND, today() + 1, today() + 2)).openingNanos).to.equal(closingNanos);
  });

  it('statements of publishers are by app, those of platform and deposits by the account on the other side', async () => {
    await deposit(10n, 'INV-1');
    await show(2);
    await show(1, { appId: asAppId('app_b') });
    await adjust(-7n, 'T-1', SUNRISE);
    const brief = async (account: StatementAccount) => {
      const { lines, closingNanos } = await statement(account);
      return {
        lines: lines.map(({ kind, appId, reference, counter, impressions, amountNanos }: StatementLine) =>
          [kind, appId ?? reference, counter?.id, impressions, amountNanos].join(' '),
        ),
        closingNanos,
      };
    };
    expect(await brief(SUNRISE)).to.deep.equal({
      lines: [
        'adjustment T-1 platform 0 -7',
        'impression app_b  1 1750000',
        'impression app_sunrise_puzzle  2 3500000',
      ],
      closingNanos: 5_249_993n,
    });
    expect(await brief({ kind: 'platform', id: 'platform' })).to.deep.equal({
      lines: ['adjustment T-1 pub_sunrise 0 7', 'impression   3 2250000'],
      closingNanos: 2_250_007n,
    });
    expect(await brief({ kind: 'deposits', id: 'deposits' })).to.deep.equal({
      lines: ['deposit INV-1 adv_northwind 0 -10'],
      closingNanos: -10n,
    });
    expect(await brief(advertiser('adv_new'))).to.deep.equal({ lines: [], closingNanos: 0n });
  });

  it('a statement covers days from 1970 to 9999, and refuses others', async () => {
    await deposit(10n, 'INV-1');
    const endDay = dayOf(CALENDAR_END_MS);
    expect(await statement(NORTHWIND, 0, 31)).to.include({ openingNanos: 0n, closingNanos: 0n });
    expect(await statement(NORTHWIND, endDay - 31, endDay)).to.include({
      openingNanos: 10n,
      closingNanos: 10n,
    });
    for (const [fromDay, toDay] of [
      [-1, 1],
      [endDay - 1, endDay + 1],
      [Number.NaN, 1],
      [2 ** 53, 2 ** 53 + 2],
    ] as const)
      expect(await codeOf(statement(NORTHWIND, fromDay, toDay)), String(fromDay)).to.equal(
        'invalid_argument',
      );
  });

  it('a reference that an earlier release accepted is booked unchanged; texts with control characters are refused', async () => {
    expect(await deposit(5n, 'INV7\u3164')).to.equal(true);
    expect(await adjust(5n, 'Re\u0301f\u00a0', NORTHWIND, 'late\u200b')).to.equal(true);
    for (const wrong of [
      deposit(5n, 'INV\u001b7'),
      adjust(5n, 'T\n-1'),
      adjust(5n, 'T-1', NORTHWIND, 'late\u009b'),
      adjust(5n, 'T-1', advertiser('adv\0')),
    ])
      expect(await codeOf(wrong)).to.equal('invalid_argument');
  });

  it('a statement whose lines do not add up is refused, and so is one without days', async () => {
    await show(1);
    await bed.pool.query('UPDATE stats.event_hour SET spend_nanos = spend_nanos + 1');
    expect(await codeOf(statement(NORTHWIND))).to.equal('failed_precondition');
    expect(await codeOf(statement(SUNRISE, 10, 10))).to.equal('invalid_argument');
    expect(await codeOf(statement(SUNRISE, 10, 100))).to.equal('invalid_argument');
  });
});
