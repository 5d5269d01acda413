import type { AppError } from '@placard/service-kit';
import {
  MINUTE_MS,
  asCampaignId,
  minuteOf,
  type ImpressionClaims,
  asAdvertiserId,
} from '@placard/service-kit/pure';
import { expect } from 'chai';
import { LEASE_GRACE_MS, type LeaseReport, type LeaseWant } from '../src/budgets/domain/lease.js';
import type { LeaseAnswer, LeaseExchange } from '../src/budgets/store/leases.js';
import { makeCloseLeases } from '../src/budgets/usecase/close-leases.js';
import { AD_TTL_MS, faultsOf, openBed, openStores, send, type Bed, type Instance } from './support/bed.js';

const COST = 1_000_000n;
const ADVERTISER = asAdvertiserId('adv_northwind');
const CAMPAIGN = asCampaignId('cmp_spring');

describe('budget leases in Postgres, by their rows', () => {
  let bed: Bed;
  let instance: Instance;
  beforeEach(async () => {
    bed = await openBed();
    // Some tests advance the clock by seconds and must stay within the same minute.
    bed.clock.set(minute() * MINUTE_MS);
    instance = bed.instance();
  });
  afterEach(async () => {
    expect(await faultsOf(bed.pool)).to.deep.equal({});
    await bed.drop();
  });

  const minute = (): number => minuteOf(bed.clock.now());
  const wanted = (overrides: Partial<LeaseWant> = {}): LeaseWant => ({
    advertiserId: ADVERTISER,
    campaignId: CAMPAIGN,
    minute: minute(),
    costNanos: COST,
    grantedMaxNanos: 10n * COST,
    totalLimitNanos: null,
    dailyLimitNanos: null,
    fundedNanos: 1_000_000n * COST,
    expiresAtMs: (minute() + 1) * MINUTE_MS + AD_TTL_MS,
    pace: null,
    ...overrides,
  });
  const reported = (overrides: Partial<LeaseReport> = {}): LeaseReport => ({
    campaignId: CAMPAIGN,
    minute: minute(),
    filledNanos: 0n,
    returnedNanos: 0n,
    isEnded: false,
    ...overrides,
  });
  const exchange = (what: Partial<LeaseExchange>) =>
    openStores(bed.pool).leases.exchange(
      { run: 'run-1', reports: [], wants: [], peeks: [], ...what, atMs: bed.clock.now() },
      bed.clock.now(),
    );
  const want = async (overrides: Partial<LeaseWant> = {}, run = 'run-1'): Promise<LeaseAnswer> => {
    const { wants } = await exchange({ run, wants: [wanted(overrides)] });
    return wants[0]!;
  };
  const peek = async (overrides: Partial<LeaseWant> = {}): Promise<string | undefined> =>
    (await exchange({ peeks: [wanted(overrides)] })).peeks[0]?.verdict;
  const fill = (overrides: Partial<ImpressionClaims> = {}): ImpressionClaims =>
    bed.fill({ costNanos: COST, leaseRun: 'run-1', ...overrides });
  const close = async (): Promise<bigint> => {
    let returned = 0n;
    await makeCloseLeases({
      leases: openStores(bed.pool).leases,
      clock: bed.clock,
      onClosed: (closed) => (returned += closed.returnedNanos),
    })();
    return returned;
  };
  /** Until the leases of this minute are due. */
  const pastTheEnd = (): void => bed.clock.advance(MINUTE_MS + AD_TTL_MS + LEASE_GRACE_MS + 1);

  describe('granting', () => {
    it('a want whose sums were lost with the last commits of a primary is granted at the second attempt', async () => {
      const { leases } = openStores(bed.pool);
      const ask = async () => {
        const given = { run: 'run-1', reports: [], wants: [wanted()], peeks: [], atMs: bed.clock.now() };
        return (await leases.exchange(given, bed.clock.now())).wants[0]?.grantedNanos;
      };
      await ask();
      await bed.pool.query('TRUNCATE budget.lease, budget.campaign_day, budget.campaign, budget.advertiser');
      expect(await ask().catch((error: unknown) => (error as AppError).code)).to.equal('unavailable');
      expect(await ask()).to.equal(10n * COST);
    });

    it('simultaneous wants of a run for one campaign under two advertisers get the lease of one', async () => {
      for (let turn = 0; turn < 4; turn += 1) {
        const answers = await Promise.allSettled(
          ['adv_a', 'adv_b']
            .map(asAdvertiserId)
            .map((advertiserId) => want({ advertiserId, campaignId: asCampaignId(`cmp_${turn}`) })),
        );
        const granted = answers.map(
          (each) => each.status === 'fulfilled' && each.value.verdict === 'granted',
        );
        expect(granted.filter(Boolean)).to.have.length(1);
      }
    });
  });

  describe('closing', () => {
    it('says once what is free again', async () => {
      await want({ grantedMaxNanos: 4n * COST });
      expect(await send(instance, 'impression', fill())).to.equal('accepted');
      pastTheEnd();
      const closings = await Promise.all([close(), close(), close()]);
      expect(closings.reduce((sum, each) => sum + each, 0n)).to.equal(3n * COST);
    });

    it('leases that were closed long ago are deleted, however many; open and lately closed ones stay', async () => {
      await bed.pool.query(
        `INSERT INTO budget.lease (campaign_id, minute, run, advertiser_id, granted_nanos, expires_at, closed_at)
         SELECT 'cmp', minute, 'run', 'adv', 0, now(),
           CASE WHEN minute > 2 THEN now() - interval '61 seconds' WHEN minute = 2 THEN now() END
         FROM generate_series(1, 12003) AS minute`,
      );
      await openStores(bed.pool).leases.prune(60);
      const { rows } = await bed.pool.query('SELECT minute FROM budget.lease ORDER BY minute');
      expect(rows).to.deep.equal([{ minute: 1n }, { minute: 2n }]);
    });

    it('an impression of a closed or missing lease is answered expired_token and costs nothing', async () => {
      await want();
      const claims = fill({ expiresAtMs: bed.clock.now() + 3 * AD_TTL_MS });
      await bed.grantAll();
      pastTheEnd();
      await close();
      expect(await send(instance, 'impression', claims)).to.equal('expired_token');
      const stranger = fill({ leaseRun: 'run-1', campaignId: asCampaignId('cmp_none') });
      await bed.grantAll();
      await bed.pool.query(`DELETE FROM budget.lease WHERE campaign_id = 'cmp_none'`);
      await bed.pool.query(`DELETE FROM budget.campaign_day WHERE campaign_id = 'cmp_none'`);
      await bed.pool.query(`DELETE FROM budget.campaign WHERE campaign_id = 'cmp_none'`);
      await bed.pool.query(
        'UPDATE budget.advertiser SET open_nanos = (SELECT sum(open_nanos) FROM budget.campaign)',
      );
      expect(await send(instance, 'impression', stranger)).to.equal('expired_token');
      const { rowCount } = await bed.pool.query('SELECT FROM events.event');
      expect(rowCount).to.equal(0);
    });

    it('an impression at the moment of the closing is either billed or answered expired_token, never both', async () => {
      const answers: string[] = [];
      for (let round = 0; round < 8; round += 1) {
        const run = `run-${round}`;
        await want({ grantedMaxNanos: 10n * COST }, run);
        const claims = Array.from({ length: 6 }, () =>
          fill({ leaseRun: run, expiresAtMs: bed.clock.now() + 3 * AD_TTL_MS }),
        );
        await bed.grantAll();
        pastTheEnd();
        const instances = claims.map(() => bed.instance());
        const sent = claims.map((each, at) => send(instances[at]!, 'impression', each));
        answers.push(...(await Promise.all([...sent, close().then(() => 'closed')])));
      }
      const billed = answers.filter((answer) => answer === 'accepted').length;
      const { rows } = await bed.pool.query('SELECT closed_nanos + open_nanos AS nanos FROM budget.campaign');
      const { rowCount } = await bed.pool.query('SELECT FROM events.event');
      expect(rowCount).to.equal(billed);
      expect(answers.filter((answer) => answer !== 'closed' && answer !== 'accepted')).to.satisfy(
        (others: string[]) => others.every((answer) => answer === 'expired_token'),
      );
      await close();
      expect(rows).to.deep.equal([{ nanos: BigInt(billed) * COST }]);
    });

    it('slices of a dead replica are held until their ads would be over, and shown as stranded money', async () => {
      await want({ grantedMaxNanos: 5n * COST, totalLimitNanos: 5n * COST });
      await exchange({ reports: [reported({ filledNanos: 2n * COST })] });
      bed.clock.advance(40_000);
      const at = { goneBeforeMs: bed.clock.now() - 30_000, overdueBeforeMs: bed.clock.now() };
      const { leases } = openStores(bed.pool);
      expect(await leases.held(at)).to.deep.equal([
        {
          campaignId: CAMPAIGN,
          heldNanos: 5n * COST,
          strandedNanos: 3n * COST,
          openLeases: 1,
          overdueLeases: 0,
        },
      ]);
      expect(await peek({ totalLimitNanos: 5n * COST })).to.equal('total');
      pastTheEnd();
      await close();
      expect(await peek({ totalLimitNanos: 5n * COST })).to.equal('granted');
      expect(await leases.held(at)).to.deep.equal([]);
    });
  });
});
