import { makePool, type AppError } from '@placard/service-kit';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  asAdvertiserId,
  asCampaignId,
  dayOf,
  hourOf,
  minuteOf,
  type ImpressionClaims,
} from '@placard/service-kit/pure';
import { expect } from 'chai';
import { STORE_AFTER_EXPIRY_MS } from '../src/domain/event-row.js';
import type { ServingReport } from '../src/store/counts.js';
import { openSpendStore } from '../src/store/spend.pg.js';
import { makeGetAcceptedSums } from '../src/usecase/get-accepted-sums.js';
import { makeGetBudgetTruth } from '../src/usecase/get-budget-truth.js';
import { makeKeepHouse } from '../src/usecase/keep-house.js';
import { makeReportServing } from '../src/usecase/report-serving.js';
import { AD_TTL_MS, openBed, openStores, send, type Bed, type Instance } from './bed.js';

/** The report of one replica about these fills, and as many requests. */
function reportOf(fills: readonly ImpressionClaims[], sequence = 1n, reporterId = 'replica'): ServingReport {
  return {
    name: { reporterId, sequence },
    requests: fills.map((claims) => ({
      hour: hourOf(claims.filledAtMs),
      publisherId: claims.publisherId,
      appId: claims.appId,
      placement: claims.placement,
      format: claims.format,
      country: claims.country ?? '',
      noFillReason: '',
      count: 1n,
    })),
    fills: fills.map((claims) => ({
      minute: minuteOf(claims.filledAtMs),
      publisherId: claims.publisherId,
      appId: claims.appId,
      placement: claims.placement,
      format: claims.format,
      country: claims.country ?? '',
      advertiserId: claims.advertiserId,
      campaignId: claims.campaignId,
      creativeId: claims.creativeId,
      count: 1n,
      reservedNanos: claims.costNanos,
      expiresAtMs: claims.expiresAtMs,
    })),
    traffic: [],
  };
}

describe('spend', () => {
  let bed: Bed;
  let service: Instance;
  beforeEach(async () => {
    bed = await openBed();
    service = bed.instance();
  });
  afterEach(() => bed.drop());

  const truth = (campaignIds: readonly string[] = ['cmp_spring']) =>
    makeGetBudgetTruth(openStores(bed.pool).spend, bed.clock)('adv_northwind', campaignIds);
  const report = (content: ServingReport) => makeReportServing(openStores(bed.pool).counts)(content);

  it('a campaign of which nothing is known has spent nothing', async () => {
    expect(await truth(['cmp_new'])).to.deep.equal({
      advertiserAcceptedNanos: 0n,
      openMinutes: [],
      campaigns: [{ campaignId: 'cmp_new', acceptedNanos: 0n, days: [] }],
    });
  });

  it('accepted spend is the same before, while and after it is settled', async () => {
    const fills = Array.from({ length: 6 }, () => bed.fill());
    fills.push(bed.fill({ campaignId: asCampaignId('cmp_other'), costNanos: 7n }));
    for (const claims of fills) await send(service, 'impression', claims);
    const waiting = await truth(['cmp_spring', 'cmp_other']);
    expect(waiting.advertiserAcceptedNanos).to.equal(15_000_007n);
    expect(waiting.campaigns.map((campaign) => campaign.acceptedNanos)).to.deep.equal([15_000_000n, 7n]);
    await bed.settle();
    expect(await truth(['cmp_spring', 'cmp_other'])).to.deep.equal(waiting);
    await send(service, 'impression', bed.fill({ costNanos: 5n }));
    expect((await truth()).advertiserAcceptedNanos).to.equal(15_000_012n);
  });

  it('days are those of the ad request, today and yesterday; older ones count in the total only', async () => {
    const today = dayOf(bed.clock.now());
    const at = (daysAgo: number, costNanos: bigint) =>
      bed.fill({
        filledAtMs: (today - daysAgo) * DAY_MS + 1,
        expiresAtMs: bed.clock.now() + AD_TTL_MS,
        costNanos,
      });
    for (const claims of [at(0, 1n), at(1, 20n), at(2, 300n)]) await send(service, 'impression', claims);
    const { campaigns } = await truth();
    expect(campaigns[0]?.acceptedNanos).to.equal(321n);
    expect([...(campaigns[0]?.days ?? [])].sort((a, b) => a.day - b.day)).to.deep.equal([
      { campaignId: 'cmp_spring', day: today - 1, spendNanos: 20n },
      { campaignId: 'cmp_spring', day: today, spendNanos: 1n },
    ]);
  });

  it('an open minute holds what was reserved, less what suspicious impressions gave back', async () => {
    const fills = Array.from({ length: 4 }, () => bed.fill());
    await report(reportOf(fills));
    service.fraud.rules.set(fills[3]!.requestId, 'session_impressions_per_hour');
    for (const claims of [fills[0]!, fills[3]!]) await send(service, 'impression', claims);
    expect((await truth()).openMinutes).to.deep.equal([
      {
        campaignId: 'cmp_spring',
        minute: minuteOf(fills[0]!.filledAtMs),
        reservedNanos: 7_500_000n,
        acceptedNanos: 2_500_000n,
        expiresAtMs: fills[0]!.expiresAtMs,
      },
    ]);
  });

  it('what was accepted is reserved at least, also when the report of its fill has not arrived', async () => {
    const fills = Array.from({ length: 3 }, () => bed.fill());
    await report(reportOf([fills[0]!]));
    for (const claims of fills) await send(service, 'impression', claims);
    expect((await truth()).openMinutes[0]).to.include({
      reservedNanos: 7_500_000n,
      acceptedNanos: 7_500_000n,
    });
  });

  it('a minute is open until nothing can be accepted of it any more', async () => {
    const over = bed.fill({ filledAtMs: Date.now() - AD_TTL_MS, expiresAtMs: Date.now() - 41_000 });
    const justOver = bed.fill({ filledAtMs: over.filledAtMs + MINUTE_MS, expiresAtMs: Date.now() - 30_000 });
    await report(reportOf([over, justOver]));
    expect((await truth()).openMinutes.map((open) => open.minute)).to.deep.equal([
      minuteOf(justOver.filledAtMs),
    ]);
  });

  it('a minute stays open while an insert runs that began in time, however long it is stalled', async () => {
    const store = openSpendStore(bed.pool, STORE_AFTER_EXPIRY_MS);
    const claims = bed.fill({ expiresAtMs: Date.now() - STORE_AFTER_EXPIRY_MS + 400 });
    await report(reportOf([claims]));
    const stalled = bed.pool.query('-- Stores a group of judged events\nSELECT pg_sleep(1)');
    await bed.pool.query('SELECT pg_sleep(0.6)');
    expect((await store.advertiserSpend('adv_northwind')).openMinutes).to.have.length(1);
    await stalled;
    expect((await store.advertiserSpend('adv_northwind')).openMinutes).to.have.length(0);
  });

  it('a standby of the database, which may lag, is asked for no truth', async () => {
    await bed.pool.query(
      'CREATE FUNCTION public.pg_is_in_recovery() RETURNS boolean LANGUAGE sql RETURN true',
    );
    const standby = makePool(
      { url: `${bed.url}?options=-c%20search_path%3Dpublic%2Cpg_catalog`, poolMax: 1 },
      () => undefined,
    );
    const { spend } = openStores(standby);
    for (const answer of [spend.advertiserSpend('adv_northwind'), spend.acceptedSums([])]) {
      const failure = await answer.catch((error: unknown) => error);
      expect((failure as AppError).code).to.equal('unavailable');
    }
    await standby.end();
  });

  it('a report counts once, however often and from however many connections it is sent', async () => {
    const content = reportOf([bed.fill(), bed.fill()]);
    await Promise.all(Array.from({ length: 8 }, () => report(content)));
    await report(reportOf([bed.fill()], 2n));
    await report(reportOf([bed.fill()], 1n, 'other replica'));
    const { rows } = await bed.pool.query('SELECT fills, reserved_nanos FROM events.fills');
    expect(rows).to.deep.equal([{ fills: 4n, reserved_nanos: 10_000_000n }]);
  });

  it('a report is taken that names a campaign-minute under two advertisers: the campaign was removed and made again', async () => {
    const fill = bed.fill();
    await report(reportOf([fill, { ...fill, advertiserId: asAdvertiserId('adv_other') }]));
    const { rows } = await bed.pool.query('SELECT fills, reserved_nanos FROM events.fills');
    expect(rows).to.deep.equal([{ fills: 2n, reserved_nanos: 5_000_000n }]);
  });

  it('a report without a reporter or a sequence is refused', async () => {
    for (const name of [
      { reporterId: '', sequence: 1n },
      { reporterId: 'replica', sequence: 0n },
    ]) {
      const failure = await report({ name, requests: [], fills: [], traffic: [] }).catch(
        (error: unknown) => error,
      );
      expect((failure as AppError).code).to.equal('invalid_argument');
    }
  });

  describe('accepted sums', () => {
    const sums = (claims: ImpressionClaims) =>
      makeGetAcceptedSums(openStores(bed.pool).spend)([
        {
          campaignId: claims.campaignId,
          minute: minuteOf(claims.filledAtMs),
          expiresAtMs: claims.expiresAtMs,
        },
      ]);

    it('are refused until 40 s after the last expiry, by the clock of the database', async () => {
      for (const sinceExpiryMs of [-1, 39_000]) {
        const failure = await sums(bed.fill({ expiresAtMs: Date.now() - sinceExpiryMs })).catch(
          (error: unknown) => error,
        );
        expect((failure as AppError).code).to.equal('failed_precondition');
      }
    });

    it('are refused while a reported fill of the minute is not over, whatever the caller says', async () => {
      const claims = bed.fill();
      await report(reportOf([claims]));
      const failure = await sums({ ...claims, expiresAtMs: Date.now() - HOUR_MS }).catch(
        (error: unknown) => error,
      );
      expect((failure as AppError).code).to.equal('failed_precondition');
    });

    it('count accepted live impressions of that campaign and minute only, settled or not', async () => {
      const filledAtMs = Date.now() - AD_TTL_MS - MINUTE_MS;
      const over = { filledAtMs, expiresAtMs: Date.now() - 20_000 };
      bed.clock.set(over.expiresAtMs - 1_000);
      const [first, second, refused] = [bed.fill(over), bed.fill(over), bed.fill(over)];
      service.fraud.rules.set(refused.requestId, 'session_impressions_per_hour');
      for (const claims of [
        first,
        second,
        refused,
        bed.fill({ ...over, isTest: true }),
        bed.fill({ ...over, campaignId: asCampaignId('cmp_other') }),
        bed.fill({ ...over, filledAtMs: filledAtMs - MINUTE_MS }),
      ]) {
        await send(service, 'impression', claims);
      }
      const asked = { ...first, expiresAtMs: Date.now() - 41_000 };
      const expected = [
        {
          campaignId: 'cmp_spring',
          minute: minuteOf(filledAtMs),
          isOver: true,
          acceptedNanos: 5_000_000n,
          impressions: 2n,
        },
      ];
      expect(await sums(asked)).to.deep.equal(expected);
      await bed.settle();
      expect(await sums(asked)).to.deep.equal(expected);
    });

    it('are refused while an insert runs that began in time, however long it is stalled', async () => {
      const store = openSpendStore(bed.pool, STORE_AFTER_EXPIRY_MS);
      const claims = bed.fill({ expiresAtMs: Date.now() - STORE_AFTER_EXPIRY_MS + 400 });
      const asked = [
        { campaignId: 'cmp_spring', minute: minuteOf(claims.filledAtMs), expiresAtMs: claims.expiresAtMs },
      ];
      const stalled = bed.pool.query('-- Stores a group of judged events\nSELECT pg_sleep(1)');
      await bed.pool.query('SELECT pg_sleep(0.6)');
      expect((await store.acceptedSums(asked))[0]?.isOver).to.equal(false);
      await stalled;
      expect((await store.acceptedSums(asked))[0]?.isOver).to.equal(true);
    });

    it('of a minute without impressions are zero', async () => {
      const claims = bed.fill({ expiresAtMs: Date.now() - 41_000 });
      expect(await sums(claims)).to.deep.include.members([
        {
          campaignId: 'cmp_spring',
          minute: minuteOf(claims.filledAtMs),
          isOver: true,
          acceptedNanos: 0n,
          impressions: 0n,
        },
      ]);
    });
  });

  it('housekeeping makes the partitions of the coming days and forgets old fills, twice as well as once', async () => {
    const old = bed.fill({ filledAtMs: Date.now() - 14 * HOUR_MS, expiresAtMs: Date.now() - 13 * HOUR_MS });
    await report(reportOf([old, bed.fill()]));
    const { partitions, counts } = openStores(bed.pool);
    const keepHouse = makeKeepHouse({ partitions, counts, clock: bed.clock });
    await Promise.all([keepHouse(), keepHouse(), keepHouse()]);
    const { rows } = await bed.pool.query(
      "SELECT 1 FROM pg_inherits WHERE inhparent = 'events.event'::regclass",
    );
    expect(rows).to.have.length(5);
    expect((await bed.pool.query('SELECT 1 FROM events.fills')).rowCount).to.equal(1);
  });
});
