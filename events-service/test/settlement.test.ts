import type { Pool, PoolClient } from '@placard/service-kit/postgres';
import { DAY_MS, asAdvertiserId, asCampaignId, asPublisherId, dayToIso } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { openSettlementStore } from '../src/settlement/store/settlement.pg.js';
import { makeSettleWaiting } from '../src/settlement/usecase/settle-waiting.js';
import { balancesOf, faultsOf, openBed, openStores, send, type Bed, type Instance } from './support/bed.js';

/** A pool whose connections die before the statement with this number (from 0, including BEGIN and COMMIT). */
function poolThatDiesAt(pool: Pool, statement: number): Pool {
  const connect = async (): Promise<PoolClient> => {
    const client = await pool.connect();
    let count = 0;
    return new Proxy(client, {
      get(target, name) {
        if (name === 'release') {
          return (): void => {
            target.release(true);
          };
        }
        if (name !== 'query') return Reflect.get(target, name) as unknown;
        const query = target.query.bind(target) as (...args: readonly unknown[]) => Promise<unknown>;
        return (...args: readonly unknown[]) => {
          count += 1;
          return count > statement ? Promise.reject(new Error('the worker died')) : query(...args);
        };
      },
    });
  };
  return { connect } as unknown as Pool;
}

describe('settlement', () => {
  let bed: Bed;
  let service: Instance;
  beforeEach(async () => {
    bed = await openBed();
    service = bed.instance();
  });
  afterEach(() => bed.drop());

  const accept = async (count: number, overrides: Parameters<Bed['fill']>[0] = {}) => {
    const fills = Array.from({ length: count }, () => bed.fill(overrides));
    const answers = await Promise.all(fills.map((claims) => send(service, 'impression', claims)));
    expect(answers.every((answer) => answer === 'accepted')).to.equal(true);
    return fills;
  };
  const entriesOf = async (): Promise<bigint> =>
    (await bed.pool.query<{ count: bigint }>('SELECT count(*) AS count FROM ledger.entry')).rows[0]?.count ??
    0n;
  const expectSound = async (): Promise<void> => {
    expect(await faultsOf(bed.pool)).to.deep.equal({});
  };

  it('one impression debits the advertiser and credits publisher and platform, to the nano-unit', async () => {
    await accept(1, { costNanos: 2_500_001n });
    await bed.settle();
    expect(await balancesOf(bed.pool)).to.deep.equal({
      'advertiser adv_northwind': -2_500_001n,
      'publisher pub_sunrise': 1_750_000n,
      'platform platform': 750_001n,
      'deposits deposits': 0n,
      'payouts payouts': 0n,
    });
    await expectSound();
  });

  it('each impression has three entries that sum to zero for any cost and share, and day sums for them', async () => {
    const shares = [
      [0n, 0n],
      [1n, 0n],
      [1n, 1n],
      [3n, 1n],
      [10n ** 11n, 7n * 10n ** 10n],
    ] as const;
    for (const [costNanos, publisherNanos] of shares) await accept(1, { costNanos, publisherNanos });
    await bed.settle();
    const { rows } = await bed.pool.query<Record<string, unknown>>(
      `SELECT sum(amount_nanos) AS sum, count(*) AS lines, min(amount_nanos) AS charged, max(amount_nanos) AS most
       FROM ledger.entry GROUP BY transaction_id ORDER BY most, charged`,
    );
    expect(rows.map(({ sum, lines }) => [sum, lines])).to.deep.equal(shares.map(() => [0n, 3n]));
    expect(rows.map(({ charged }) => charged)).to.have.members(shares.map(([cost]) => -cost));
    const { rows: days } = await bed.pool.query(
      'SELECT account_kind, sum_nanos, entries FROM ledger.account_day ORDER BY account_kind',
    );
    expect(days).to.deep.equal([
      { account_kind: 'advertiser', sum_nanos: -(10n ** 11n) - 5n, entries: 5n },
      { account_kind: 'platform', sum_nanos: 3n * 10n ** 10n + 3n, entries: 5n },
      { account_kind: 'publisher', sum_nanos: 7n * 10n ** 10n + 2n, entries: 5n },
    ]);
    await expectSound();
  });

  it('an impression counts to the budget of the day of its fill and to the books of the day of its event', async () => {
    const filledDay = Math.floor(bed.clock.now() / DAY_MS);
    bed.clock.set((filledDay + 1) * DAY_MS - 1);
    const claims = bed.fill();
    bed.clock.set((filledDay + 1) * DAY_MS + 1);
    expect(await send(service, 'impression', claims)).to.equal('accepted');
    await accept(1);
    await bed.settle();
    const { rows } = await bed.pool.query(
      `SELECT 'budget' AS of, day, impressions AS lines FROM stats.campaign_day
       UNION ALL SELECT 'books', day, count(*) FROM ledger.entry GROUP BY day ORDER BY of, day`,
    );
    expect(rows).to.deep.equal([
      { of: 'books', day: dayToIso(filledDay + 1), lines: 6n },
      { of: 'budget', day: dayToIso(filledDay), lines: 1n },
      { of: 'budget', day: dayToIso(filledDay + 1), lines: 1n },
    ]);
    await expectSound();
  });

  it('clicks, rewards and fallbacks change no balance', async () => {
    const [claims] = await accept(1, { format: 'rewarded' });
    await bed.settle();
    const before = await balancesOf(bed.pool);
    await send(service, 'click', claims!);
    await send(service, 'reward', claims!, true);
    await bed.settle();
    expect(await balancesOf(bed.pool)).to.deep.equal(before);
    expect((await openStores(bed.pool).settlement.outbox()).waiting).to.equal(0);
  });

  it('suspicious and test impressions move no money', async () => {
    const claims = bed.fill();
    service.fraud.rules.set(claims.requestId, 'session_impressions_per_hour');
    await send(service, 'impression', claims);
    await send(service, 'impression', bed.fill({ isTest: true }));
    await bed.settle();
    expect(await entriesOf()).to.equal(0n);
    await expectSound();
  });

  it('the same job books once when it runs three times', async () => {
    await accept(5);
    await bed.settle();
    await bed.settle();
    await bed.settle();
    expect(await entriesOf()).to.equal(15n);
    expect((await balancesOf(bed.pool))['advertiser adv_northwind']).to.equal(-12_500_000n);
  });

  it('a worker that dies before any of its statements loses and doubles nothing', async () => {
    await accept(3);
    let statement = 0;
    let isSettled = false;
    while (!isSettled) {
      const store = openSettlementStore(poolThatDiesAt(bed.pool, statement), () => bed.clock.now());
      const outcome = await store.settle({ rowsMax: 100, after: null }).catch(() => null);
      // The rows stay locked until the database has closed the connection of the dead worker.
      if (outcome?.rows === 0) continue;
      isSettled = outcome !== null;
      if (!isSettled) {
        expect(await entriesOf(), `died before statement ${statement}`).to.equal(0n);
        expect((await openStores(bed.pool).settlement.outbox()).waiting).to.equal(3);
      }
      statement += 1;
    }
    // The workers died before BEGIN, before COMMIT, and before statements in between.
    expect(statement).to.be.greaterThan(3);
    await bed.settle();
    expect(await entriesOf()).to.equal(9n);
    await expectSound();
  });

  it('a waiting impression that was booked before is not booked again', async () => {
    await accept(2);
    await bed.settle();
    await bed.pool.query('UPDATE events.event SET settled_at = NULL');
    const group = await openStores(bed.pool).settlement.settle({
      rowsMax: 10,
      after: null,
    });
    expect(group).to.include({ rows: 2, impressions: 0, bookedBefore: 2 });
    expect(await entriesOf()).to.equal(6n);
    await expectSound();
  });

  it('several workers at once settle everything once, without a deadlock, across many accounts', async () => {
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(
        Array.from({ length: 10 }, (_, place) =>
          accept(12, {
            advertiserId: asAdvertiserId(`adv_${(place * 7) % 10}`),
            campaignId: asCampaignId(`cmp_${(place * 3) % 10}`),
            publisherId: asPublisherId(`pub_${place % 3}`),
          }),
        ),
      );
    }
    const problems: unknown[] = [];
    const worker = (): Promise<void> =>
      makeSettleWaiting({
        store: openSettlementStore(bed.pool, () => bed.clock.now()),
        rowsMax: 17,
        groupsMax: 1_000,
        onSettled: () => undefined,
        onStuck: (key) => problems.push(key),
        isStopping: () => false,
      })();
    await Promise.all(Array.from({ length: 6 }, worker));
    await bed.settle();
    expect(problems).to.deep.equal([]);
    expect(await entriesOf()).to.equal(480n * 3n);
    await expectSound();
  });

  it('a row that cannot be settled does not block others and is named', async () => {
    const fills = await accept(9);
    const bad = fills[4]!.requestId;
    await bed.pool.query(`
      CREATE FUNCTION pg_temp_refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF NEW.id = '${bad}' THEN RAISE check_violation; END IF; RETURN NEW; END $$`);
    await bed.pool.query(
      'CREATE TRIGGER refuse BEFORE INSERT ON ledger.transaction FOR EACH ROW EXECUTE FUNCTION pg_temp_refuse()',
    );
    const stuck: string[] = [];
    await makeSettleWaiting({
      store: openSettlementStore(bed.pool, () => bed.clock.now()),
      rowsMax: 100,
      groupsMax: 1_000,
      onSettled: () => undefined,
      onStuck: (key) => stuck.push(key.requestId),
      isStopping: () => false,
    })();
    expect(stuck).to.deep.equal([bad]);
    expect((await openStores(bed.pool).settlement.outbox()).waiting).to.equal(1);
    expect(await entriesOf()).to.equal(24n);
  });

  it('balances and sums beyond 2^63 nano-units stay exact', async () => {
    const huge = 9_007_199_254_740_993n * 1_000n;
    const { ledger } = openStores(bed.pool);
    for (const reference of ['one', 'two', 'three']) {
      await ledger.recordDeposit({
        advertiserId: asAdvertiserId('adv_northwind'),
        amountNanos: huge,
        reference,
        atMs: bed.clock.now(),
      });
    }
    await accept(1, { costNanos: 1n });
    await bed.settle();
    const balances = await balancesOf(bed.pool);
    expect(balances['advertiser adv_northwind']).to.equal(3n * huge - 1n);
    expect(balances['deposits deposits']).to.equal(-3n * huge);
    expect(await ledger.totals()).to.deep.equal({ sumNanos: 0n, overdrawnNanos: 0n });
  });

  it('the ledger refuses every change and removal', async () => {
    await accept(1);
    await bed.settle();
    for (const statement of [
      'UPDATE ledger.entry SET amount_nanos = 0',
      'DELETE FROM ledger.entry',
      'TRUNCATE ledger.entry',
      "UPDATE ledger.transaction SET id = 'x'",
      'DELETE FROM ledger.transaction',
      'TRUNCATE ledger.transaction',
    ]) {
      const failure = await bed.pool.query(statement).then(
        () => '',
        (error: unknown) => (error as Error).message,
      );
      expect(failure, statement).to.contain('the ledger is never changed');
    }
  });
});
