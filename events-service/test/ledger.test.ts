import { asAdvertiserId, asOwnerId, asPublisherId } from '@placard/service-kit/pure';
import { codeOf } from '@placard/service-kit/testing';
import { expect } from 'chai';
import type { AccountFunds } from '../src/verification/domain/verification.js';
import { makeRecordDeposit } from '../src/ledger/usecase/record-deposit.js';
import { makeVerifyLedger } from '../src/verification/usecase/verify-ledger.js';
import { balancesOf, faultsOf, openBed, openStores, send, type Bed, type Instance } from './bed.js';

const BOOKINGS = 'each booking has exactly its entries';
const STORED = 'accepted impressions are stored and booked';
const DAY_SUMS = 'day sums equal entries';
const ACCEPTED = 'accepted = settled + waiting';

describe('ledger', () => {
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
  const verify = async (funds: readonly AccountFunds[] | null = []) =>
    openStores(bed.pool).verification.verify(funds);
  const faults = (funds: readonly AccountFunds[] | null = []) => faultsOf(bed.pool, funds);
  const fundOf = (id: string, nanos: bigint, kind: AccountFunds['kind'] = 'advertiser') => ({
    kind,
    id: asOwnerId(id),
    nanos,
  });
  const funds = [fundOf('adv_northwind', 500_000_000_000n)];
  const settleSome = async () => {
    await deposit(500_000_000_000n, 'opening:adv_northwind');
    const fills = [bed.fill(), bed.fill(), bed.fill()];
    for (const claims of fills) await send(service, 'impression', claims);
    await bed.settle();
    return fills;
  };
  /** Changes rows with the triggers disabled that would refuse it. */
  const tamper = async (statement: string): Promise<void> => {
    const client = await bed.pool.connect();
    try {
      await client.query("SET session_replication_role = 'replica'");
      await client.query(statement);
    } finally {
      await client.query("SET session_replication_role = 'origin'");
      client.release();
    }
  };

  it('a deposit is booked once per reference, also when it arrives many times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => deposit(250n, 'INV-7')));
    expect(answers.filter(Boolean)).to.have.length(1);
    expect(await balancesOf(bed.pool)).to.include({
      'advertiser adv_northwind': 250n,
      'deposits deposits': -250n,
    });
  });

  it('a reference that is already booked with another amount or advertiser is a conflict and changes nothing', async () => {
    await deposit(250n, 'INV-7');
    expect(await codeOf(deposit(251n, 'INV-7'))).to.equal('conflict');
    expect(await codeOf(deposit(250n, 'INV-7', 'adv_other'))).to.equal('conflict');
    expect(await balancesOf(bed.pool)).to.include({
      'advertiser adv_northwind': 250n,
      'deposits deposits': -250n,
    });
  });

  it('a deposit that is not above zero or lacks a name is refused and leaves its reference free', async () => {
    for (const wrong of [
      deposit(0n, 'A'),
      deposit(-1n, 'A'),
      deposit(1n, ''),
      deposit(1n, 'A', ''),
      deposit(1n, 'A\0'),
    ]) {
      expect(await codeOf(wrong)).to.equal('invalid_argument');
    }
    expect(await deposit(1n, 'A')).to.equal(true);
  });

  it('balances list every account, also at zero, in the order of kind and id', async () => {
    await deposit(5n, 'A', 'adv_b');
    const named = {
      advertiserIds: ['adv_c', 'adv_b', 'adv_a'].map(asAdvertiserId),
      publisherIds: [asPublisherId('pub_a')],
    };
    expect(await openStores(bed.pool).ledger.balances(named)).to.deep.equal([
      { kind: 'advertiser', id: 'adv_a', balanceNanos: 0n },
      { kind: 'advertiser', id: 'adv_b', balanceNanos: 5n },
      { kind: 'advertiser', id: 'adv_c', balanceNanos: 0n },
      { kind: 'publisher', id: 'pub_a', balanceNanos: 0n },
      { kind: 'platform', id: 'platform', balanceNanos: 0n },
      { kind: 'deposits', id: 'deposits', balanceNanos: -5n },
    ]);
  });

  it('correct books pass every check, with and without waiting events', async () => {
    expect((await verify()).map((check) => check.ok)).to.not.include(false);
    await settleSome();
    expect(await faults(funds)).to.deep.equal({});
    await send(service, 'impression', bed.fill());
    expect(await faults(funds)).to.deep.equal({});
    const accepted = (await verify(funds)).find((check) => check.name === 'accepted = settled + waiting');
    expect(accepted?.detail).to.equal('4 (0.010000000) = 3 (0.007500000) + 1 (0.002500000)');
  });

  it('checks of correct books name the compared figures, also when there is only one of a kind', async () => {
    await deposit(5n, 'A', 'adv_b');
    expect((await verify(null)).map(({ detail }) => detail)).to.deep.equal([
      'accounts: 2; sum 0.000000000',
      'days: 1, entries: 2',
      '0 (0.000000000) = 0 (0.000000000) + 0 (0.000000000)',
      'advertisers: 1; paid in 0.000000005, adjusted by 0.000000000, charged 0.000000000',
      'accounts: 2',
      'spend 0.000000000, revenue 0.000000000',
      'advertisers: 0; spent 0.000000000',
      'campaigns: 0; open 0.000000000; closed 0.000000000',
      'spent 0.000000000',
    ]);
  });

  describe('the verification finds and names', () => {
    const cases: readonly [what: string, statement: string, check: string, names: string][] = [
      [
        'a changed amount',
        "UPDATE ledger.entry SET amount_nanos = amount_nanos + 1 WHERE transaction_id = $id AND account_kind = 'publisher'",
        BOOKINGS,
        '$id',
      ],
      [
        'a changed amount',
        "UPDATE ledger.entry SET amount_nanos = amount_nanos + 1 WHERE transaction_id = $id AND account_kind = 'publisher'",
        DAY_SUMS,
        'pub_sunrise',
      ],
      [
        'a moved share',
        "UPDATE ledger.entry SET amount_nanos = amount_nanos + CASE account_kind WHEN 'publisher' THEN 1 ELSE -1 END WHERE transaction_id = $id AND account_kind <> 'advertiser'",
        BOOKINGS,
        '$id',
      ],
      [
        'a removed entry',
        "DELETE FROM ledger.entry WHERE transaction_id = $id AND account_kind = 'platform'",
        BOOKINGS,
        '$id',
      ],
      ['removed entries', 'DELETE FROM ledger.entry WHERE transaction_id = $id', BOOKINGS, '$id'],
      [
        'entries on another day',
        'UPDATE ledger.entry SET day = day - 1 WHERE transaction_id = $id',
        BOOKINGS,
        '$id',
      ],
      [
        'entries of no booking',
        "INSERT INTO ledger.entry VALUES ('deposit', 'made-up', 'deposits', 'deposits', '1999-01-01', -1), ('deposit', 'made-up', 'advertiser', 'adv_x', '1999-01-01', 1)",
        BOOKINGS,
        'made-up',
      ],
      ['a removed booking', 'DELETE FROM ledger.transaction WHERE id = $id', STORED, '$id'],
      ['a removed booking', 'DELETE FROM ledger.transaction WHERE id = $id', BOOKINGS, '$id'],
      ['a removed event', 'DELETE FROM events.event WHERE request_id = $id', BOOKINGS, '$id'],
      ['a removed event', 'DELETE FROM events.event WHERE request_id = $id', STORED, '2 ('],
      [
        'a removed waiting event',
        'UPDATE events.accepted_day SET impressions = impressions + 1',
        ACCEPTED,
        '4 impressions',
      ],
      [
        'a booking of what still waits',
        'UPDATE events.event SET settled_at = NULL WHERE request_id = $id',
        ACCEPTED,
        '1 (0.002500000) wait',
      ],
      [
        'a booking of what still waits',
        'UPDATE events.event SET settled_at = NULL WHERE request_id = $id',
        BOOKINGS,
        '$id',
      ],
      [
        'a lost partition',
        "DO $$ BEGIN EXECUTE (SELECT 'DROP TABLE ' || tableoid::regclass FROM events.event LIMIT 1); END $$",
        ACCEPTED,
        'are gone',
      ],
      [
        'another advertiser',
        "UPDATE ledger.entry SET account_id = 'adv_x' WHERE transaction_id = $id AND account_kind = 'advertiser'",
        BOOKINGS,
        '$id',
      ],
      [
        'a changed balance',
        "UPDATE ledger.account SET balance_nanos = balance_nanos + 1 WHERE kind = 'advertiser'",
        'advertiser balance = deposits + adjustments - settled',
        'adv_northwind',
      ],
      [
        'a changed balance',
        "UPDATE ledger.account SET balance_nanos = balance_nanos + 1 WHERE kind = 'platform'",
        'accounts sum to zero',
        '0.000000001',
      ],
      [
        'a changed balance',
        "UPDATE ledger.account SET balance_nanos = balance_nanos + 1 WHERE kind = 'publisher'",
        'balances equal day sums',
        'pub_sunrise',
      ],
      [
        'a changed day sum',
        "UPDATE ledger.account_day SET sum_nanos = sum_nanos - 1 WHERE account_kind = 'publisher'",
        DAY_SUMS,
        'pub_sunrise',
      ],
      [
        'a changed day sum',
        "UPDATE ledger.account_day SET entries = entries - 1 WHERE account_kind = 'publisher'",
        'each day is of whole bookings',
        'publishers 2, platform 3',
      ],
      [
        'a changed report',
        'UPDATE stats.event_hour SET spend_nanos = spend_nanos + 1',
        'report totals equal the ledger',
        'adv_northwind',
      ],
      [
        'a changed count',
        'UPDATE stats.event_hour SET impressions = impressions + 1',
        'report totals equal the ledger',
        'pub_sunrise',
      ],
      [
        'a changed spend of a campaign',
        'UPDATE stats.campaign_day SET spend_nanos = 0',
        'campaign spend equals the ledger',
        'adv_northwind',
      ],
      [
        'granted money without a lease',
        'UPDATE budget.campaign_day SET open_nanos = open_nanos + 1',
        'budget sums equal leases',
        'cmp_spring',
      ],
      [
        'a sum of a campaign that its days do not have',
        'UPDATE budget.campaign SET closed_nanos = closed_nanos - 1',
        'budget sums equal leases',
        'cmp_spring',
      ],
      [
        'a sum of an advertiser that its campaigns do not have',
        'UPDATE budget.advertiser SET open_nanos = open_nanos - 1',
        'budget sums equal leases',
        'adv_northwind',
      ],
      [
        'a lease with more impressions than it was granted',
        'UPDATE budget.lease SET granted_nanos = accepted_nanos - 1',
        'budget sums equal leases',
        'run-of-tests',
      ],
      [
        'spend that a budget does not count',
        'UPDATE budget.lease SET accepted_nanos = accepted_nanos - 1',
        'budgets equal accepted spend',
        'cmp_spring',
      ],
      [
        'spend that a lease does not count',
        'UPDATE budget.lease SET accepted_nanos = accepted_nanos - 1',
        'leases equal impressions',
        'run-of-tests',
      ],
    ];
    for (const [what, statement, check, names] of cases) {
      it(`${what}: ${check}`, async () => {
        const [claims] = await settleSome();
        const id = claims!.requestId;
        await tamper(statement.replaceAll('$id', `'${id}'`));
        const found = await faults(funds);
        expect(Object.keys(found)).to.include(check);
        expect(found[check]).to.contain(names.replace('$id', id));
      });
    }

    it('funds that differ from the booked deposits', async () => {
      await settleSome();
      const check = 'deposits and adjustments equal the accounts’ funds';
      expect((await faults([fundOf('adv_northwind', 1n)]))[check]).to.contain('adv_northwind');
      expect((await faults([...funds, fundOf('adv_b', 1n)]))[check]).to.contain('adv_b');
      expect((await faults([...funds, fundOf('pub_b', -1n, 'publisher')]))[check]).to.contain('pub_b');
      expect((await faults([]))[check]).to.contain('adv_northwind');
      expect(await faults(null)).to.deep.equal({});
    });
  });

  it('waits until nothing is left to settle and the counters have been flushed', async () => {
    await send(service, 'impression', bed.fill());
    const { verification, settlement } = openStores(bed.pool);
    let flushes = 0;
    let slept = 0;
    const startedAtMs = bed.clock.now();
    const verifyLedger = makeVerifyLedger({
      books: verification,
      settlement,
      clock: bed.clock,
      sleep: async (ms) => {
        slept += 1;
        bed.clock.advance(ms);
        if (slept === 20) await bed.settle();
      },
      flush: () => Promise.resolve(void (flushes += 1)),
    });
    const { checks, waiting } = await verifyLedger({
      waitMsMax: 60_000,
      funds: [],
      deadlineAtMs: startedAtMs + 65_000,
    });
    expect(waiting).to.equal(null);
    expect(checks.find((check) => check.name.startsWith('accepted'))?.detail).to.contain('+ 0 (');
    expect(flushes).to.equal(1);
    expect(bed.clock.now() - startedAtMs).to.be.within(4_000, 4_400);
  });

  it('waits at most as long as allowed, and returns the backlog', async () => {
    await send(service, 'impression', bed.fill());
    const { verification, settlement } = openStores(bed.pool);
    const startedAtMs = bed.clock.now();
    const verifyLedger = makeVerifyLedger({
      books: verification,
      settlement,
      clock: bed.clock,
      sleep: (ms) => {
        bed.clock.advance(ms * 50);
        return Promise.resolve();
      },
      flush: () => Promise.resolve(),
    });
    const { checks, waiting } = await verifyLedger({
      waitMsMax: 60_000,
      funds: [],
      deadlineAtMs: startedAtMs + 600_000,
    });
    expect(checks.every((check) => check.ok)).to.equal(true);
    expect(waiting).to.deep.equal({ waiting: 1, oldestAtMs: startedAtMs });
    expect(bed.clock.now() - startedAtMs).to.equal(60_000);
  });
});
