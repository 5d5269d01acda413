import type { AppError } from '@placard/service-kit';
import {
  MINUTE_MS,
  asCampaignId,
  dayOf,
  minuteOf,
  type ImpressionClaims,
  asAdvertiserId,
} from '@placard/service-kit/pure';
import { expect } from 'chai';
import { LEASE_GRACE_MS, type LeaseReport, type LeaseWant } from '../src/budgets/domain/lease.js';
import type { LeaseAnswer, LeaseExchange } from '../src/budgets/store/leases.js';
import { makeCloseLeases } from '../src/budgets/usecase/close-leases.js';
import { AD_TTL_MS, faultsOf, openBed, openStores, send, type Bed, type Instance } from './bed.js';

const COST = 1_000_000n;
const ADVERTISER = asAdvertiserId('adv_northwind');
const CAMPAIGN = asCampaignId('cmp_spring');

describe('budget leases', () => {
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
    it('a want is granted whole ads, and a repeated want grants nothing more', async () => {
      const first = await want({ grantedMaxNanos: 5n * COST + 1n });
      expect(first).to.include({ verdict: 'granted', grantedNanos: 5n * COST });
      expect(await want({ grantedMaxNanos: 5n * COST })).to.include({
        verdict: 'granted',
        grantedNanos: 5n * COST,
      });
      expect(await want({ grantedMaxNanos: 7n * COST })).to.include({ grantedNanos: 7n * COST });
    });

    it('one replica is granted exactly N ads when the headroom holds N', async () => {
      let granted = 0n;
      for (let turn = 0; turn < 4; turn += 1)
        granted = (await want({ grantedMaxNanos: granted + 5n * COST, totalLimitNanos: 12n * COST + 9n }))
          .grantedNanos;
      expect(granted).to.equal(12n * COST);
      expect(
        (await want({ grantedMaxNanos: granted + COST, totalLimitNanos: 12n * COST + 9n })).verdict,
      ).to.equal('total');
    });

    it('a refusal names the first limit without room: total, day, balance', async () => {
      await want({ grantedMaxNanos: 3n * COST });
      const limits = { grantedMaxNanos: 10n * COST };
      expect(await peek({ ...limits, totalLimitNanos: 3n * COST, dailyLimitNanos: 3n * COST })).to.equal(
        'total',
      );
      expect(await peek({ ...limits, dailyLimitNanos: 3n * COST, fundedNanos: 3n * COST })).to.equal('day');
      expect(await peek({ ...limits, fundedNanos: 4n * COST - 1n })).to.equal('balance');
      expect(await peek({ ...limits, fundedNanos: 4n * COST })).to.equal('granted');
    });

    it('sibling campaigns share one balance within one exchange', async () => {
      const { wants } = await exchange({
        wants: ['cmp_a', 'cmp_b', 'cmp_c']
          .map(asCampaignId)
          .map((campaignId) => wanted({ campaignId, fundedNanos: 15n * COST })),
      });
      expect(wants.map(({ grantedNanos }) => grantedNanos)).to.deep.equal([10n * COST, 5n * COST, 0n]);
      expect(wants[2]?.verdict).to.equal('balance');
    });

    it('with several replicas a grant is at most half of an equal share, and at least one ad', async () => {
      await want({ grantedMaxNanos: COST }, 'run-2');
      const answer = await want({ grantedMaxNanos: 100n * COST, totalLimitNanos: 41n * COST });
      expect(answer).to.include({ grantedNanos: 10n * COST, isScarce: true });
      bed.clock.advance(10_000);
      expect(
        await want({ grantedMaxNanos: 40n * COST, totalLimitNanos: 41n * COST, minute: minute() }),
      ).to.include({
        verdict: 'granted',
        isScarce: false,
      });
    });

    it('many replicas at once are never granted more than the limit', async () => {
      const runs = Array.from({ length: 12 }, (_, at) => `run-${at}`);
      for (let turn = 1n; turn <= 8n; turn += 1n)
        await Promise.all(
          runs.map((run) => want({ grantedMaxNanos: turn * 3n * COST, totalLimitNanos: 50n * COST }, run)),
        );
      const { rows } = await bed.pool.query('SELECT sum(granted_nanos) AS granted FROM budget.lease');
      expect(rows).to.deep.equal([{ granted: 50n * COST }]);
    });

    it('a peek grants nothing, and a campaign without fills has its whole budget as headroom', async () => {
      expect(await peek({ totalLimitNanos: COST })).to.equal('granted');
      const { rowCount } = await bed.pool.query('SELECT FROM budget.lease');
      expect(rowCount).to.equal(0);
    });

    it('neither a minute far from the clock nor a minute that another advertiser has gets a lease', async () => {
      expect((await want({ minute: minute() + 3 })).verdict).to.equal('ended');
      expect((await want({ minute: minute() - 3 })).verdict).to.equal('ended');
      await want();
      expect(
        (await want({ advertiserId: asAdvertiserId('adv_other'), grantedMaxNanos: 20n * COST })).verdict,
      ).to.equal('ended');
    });

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

  describe('returning', () => {
    it('returned money is headroom for a want of the same exchange', async () => {
      const limits = { totalLimitNanos: 10n * COST };
      await want(limits, 'run-2');
      bed.clock.advance(6_000);
      const { wants } = await exchange({
        run: 'run-2',
        reports: [reported({ filledNanos: 4n * COST, returnedNanos: 6n * COST })],
        wants: [wanted({ ...limits, campaignId: CAMPAIGN, grantedMaxNanos: 13n * COST })],
      });
      expect(wants[0]).to.include({ verdict: 'granted', grantedNanos: 13n * COST });
    });

    it('a late copy of an older report changes nothing, and an ended lease gets no grants', async () => {
      await want();
      const last = reported({ filledNanos: 2n * COST, returnedNanos: 8n * COST, isEnded: true });
      await exchange({ reports: [last] });
      await exchange({ reports: [reported({ filledNanos: COST, returnedNanos: 3n * COST })] });
      expect((await want({ grantedMaxNanos: 20n * COST })).verdict).to.equal('ended');
      const { rows } = await bed.pool.query('SELECT open_nanos FROM budget.advertiser');
      expect(rows).to.deep.equal([{ open_nanos: 2n * COST }]);
    });

    it('a report can return neither money of impressions nor money that was never granted', async () => {
      await want({ grantedMaxNanos: 3n * COST });
      expect(await send(instance, 'impression', fill())).to.equal('accepted');
      await exchange({ reports: [reported({ returnedNanos: 9n * COST })] });
      const { rows } = await bed.pool.query('SELECT returned_nanos, accepted_nanos FROM budget.lease');
      expect(rows).to.deep.equal([{ returned_nanos: 2n * COST, accepted_nanos: COST }]);
      await exchange({
        reports: [reported({ campaignId: asCampaignId('cmp_unknown'), returnedNanos: COST })],
      });
    });

    it('a suspicious impression gives its price back at once, and only once', async () => {
      await want({ totalLimitNanos: COST });
      const claims = fill();
      instance.fraud.rules.set(claims.requestId, 'session_impressions_per_hour');
      expect(await send(instance, 'impression', claims)).to.equal('suspicious');
      const key = { campaignId: CAMPAIGN, minute: minute(), run: 'run-1' };
      const { leases } = openStores(bed.pool);
      await leases.releaseSuspicious([key]);
      await leases.releaseSuspicious([key]);
      const next = { totalLimitNanos: COST, grantedMaxNanos: 2n * COST };
      expect(await want(next, 'run-2')).to.include({ verdict: 'granted', grantedNanos: COST });
      pastTheEnd();
      expect(await close()).to.equal(COST);
    });
  });

  describe('closing', () => {
    it('money of unshown ads is headroom again 60 seconds after the last of them is over, once', async () => {
      await want({ grantedMaxNanos: 4n * COST, totalLimitNanos: 4n * COST });
      expect(await send(instance, 'impression', fill())).to.equal('accepted');
      bed.clock.advance(MINUTE_MS + AD_TTL_MS + LEASE_GRACE_MS - (bed.clock.now() % MINUTE_MS));
      expect(await close()).to.equal(0n);
      bed.clock.advance(1);
      const closings = await Promise.all([close(), close(), close()]);
      expect(closings.reduce((sum, each) => sum + each, 0n)).to.equal(3n * COST);
      const { rows } = await bed.pool.query('SELECT open_nanos, closed_nanos FROM budget.campaign');
      expect(rows).to.deep.equal([{ open_nanos: 0n, closed_nanos: COST }]);
      expect(await peek({ totalLimitNanos: 4n * COST })).to.equal('granted');
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

  describe('pacing', () => {
    const pace = { anchor: null, anchorSinceMs: null, budgetNanos: 1_000n * COST, show: 0.5, late: 0.2 };
    const paced = (plan: number, most: number | null = null) => ({
      dailyLimitNanos: 1_000n * COST,
      grantedMaxNanos: 100n * COST,
      pace: {
        ...pace,
        planNanos: plan * Number(COST),
        mostNanos: most === null ? null : most * Number(COST),
      },
    });

    it('the first ad of a day always fits, and sets the anchor of the plan', async () => {
      const answer = await want(paced(0));
      expect(answer).to.deep.include({ verdict: 'granted', grantedNanos: COST, isScarce: true });
      expect(answer.anchor).to.deep.equal({
        atMs: bed.clock.now(),
        spentNanos: 0n,
        budgetNanos: 1_000n * COST,
      });
      expect((await want(paced(50))).verdict).to.equal('anchor');
    });

    it('the plan and the brake bound grants, and open money counts at its likely share', async () => {
      const { anchor } = await want(paced(0));
      const planned = (plan: number, most: number | null = null) => {
        const limits = paced(plan, most);
        return { ...limits, pace: { ...limits.pace, anchor } };
      };
      // The first ad counts 0.5. A plan of 10 ads leaves room for 1 + (10 - 0.5 - 1) / 0.5 more.
      expect(await peek(planned(1))).to.equal('pace');
      expect(await peek(planned(100, 1.5))).to.equal('pace');
      expect(await want(planned(10))).to.include({ verdict: 'granted', grantedNanos: 19n * COST });
      expect(await want({ ...planned(100, 25), grantedMaxNanos: 99n * COST })).to.include({
        grantedNanos: 25n * COST,
      });
    });

    it('another daily budget and a resumption begin a new plan', async () => {
      const { anchor } = await want(paced(0));
      const limits = paced(50);
      const other = await want({ ...limits, pace: { ...limits.pace, anchor, budgetNanos: 500n * COST } });
      expect(other.verdict).to.equal('anchor');
      expect(other.anchor).to.deep.include({ budgetNanos: 500n * COST, spentNanos: COST / 2n });
      bed.clock.advance(1_000);
      const nowMs = bed.clock.now();
      const since = { ...limits.pace, anchor: other.anchor, budgetNanos: 500n * COST, anchorSinceMs: nowMs };
      expect((await want({ ...limits, pace: since })).anchor?.atMs).to.equal(nowMs);
    });

    it('closed fills are added to the campaign, and each day halves the older ones', async () => {
      await want({ ...paced(0), grantedMaxNanos: COST });
      await exchange({ reports: [reported({ filledNanos: COST })] });
      expect(await send(instance, 'impression', fill())).to.equal('accepted');
      pastTheEnd();
      await close();
      bed.clock.advance((dayOf(bed.clock.now()) + 1) * 86_400_000 - bed.clock.now());
      const { closedFills } = await want({ ...paced(0), grantedMaxNanos: COST });
      expect(closedFills).to.deep.equal({ shownNanos: Number(COST), unshownNanos: 0, lateNanos: 0 });
      await exchange({ reports: [reported({ filledNanos: COST })] });
      pastTheEnd();
      await close();
      const later = await want({ ...paced(0), grantedMaxNanos: COST });
      const halved = { shownNanos: Number(COST) / 2, unshownNanos: Number(COST), lateNanos: 0 };
      expect(later.closedFills).to.deep.equal(halved);
    });
  });
});
