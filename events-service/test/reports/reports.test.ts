import type { AppError } from '@placard/service-kit';
import { makePool } from '@placard/service-kit/postgres';
import {
  CALENDAR_END_MS,
  DAY_MS,
  HOUR_MS,
  asCampaignId,
  asCreativeId,
  asPlacementCode,
  dayOf,
  dayToIso,
  hourOf,
  minuteOf,
  toIso,
  asPublisherId,
  asAppId,
  asAdvertiserId,
} from '@placard/service-kit/pure';
import { makeTestRandom } from '@placard/service-kit/testing';
import { expect } from 'chai';
import type { ReportKey } from '../../src/reports/domain/report-sources.js';
import { makeRejectionCounter } from '../../src/events/usecase/count-rejections.js';
import { makeGetReport } from '../../src/reports/usecase/get-report.js';
import { flat, type FlatRow } from '../support/flat-row.js';
import { AD_TTL_MS, openBed, openStores, send, tokenOf, type Bed, type Instance } from '../support/bed.js';

describe('reports', () => {
  let bed: Bed;
  let service: Instance;
  const random = makeTestRandom(3);
  beforeEach(async () => {
    bed = await openBed();
    service = bed.instance();
  });
  afterEach(() => bed.drop());

  const read = async (
    by: readonly ReportKey[],
    fromMs = Date.now() - 7 * DAY_MS,
    toMs = Date.now() + DAY_MS,
  ) => {
    const query = { by, fromMs, toMs, filters: [], days: [] };
    return (await makeGetReport(openStores(bed.pool).report)(query)).rows.map(flat);
  };
  const total = async (): Promise<FlatRow> => (await read([]))[0]!;
  /** Flushes the rejections of the instance, as the service does each second. */
  const flushRejections = async (): Promise<void> => {
    const counter = makeRejectionCounter({
      store: openStores(bed.pool).counts,
      reporterId: Buffer.from(random.bytes(8)).toString('hex'),
      onDropped: () => undefined,
    });
    for (const { event, rejection } of service.rejections.splice(0)) {
      counter.add(rejection.reason, event.claims, event.arrivedAtMs);
    }
    await counter.flush();
  };
  const fallback = (
    reason: 'no_fill' | 'timeout' | 'error' | 'creative_failed',
    placement = 'home_banner',
    country = 'DE',
  ) =>
    openStores(bed.pool).counts.addFallbacks([
      {
        hour: hourOf(bed.clock.now()),
        publisherId: asPublisherId('pub_sunrise'),
        appId: asAppId('app_sunrise_puzzle'),
        placement: asPlacementCode(placement),
        format: 'banner',
        country,
        reason,
      },
    ]);
  const requests = (noFillReason: string, count: bigint, placement = 'home_banner') => ({
    hour: hourOf(bed.clock.now()),
    publisherId: asPublisherId('pub_sunrise'),
    appId: asAppId('app_sunrise_puzzle'),
    placement: asPlacementCode(placement),
    format: 'banner' as const,
    country: 'DE',
    noFillReason,
    appVersion: '',
    sdkVersion: '',
    count,
  });
  const fills = (count: bigint, campaignId = 'cmp_spring', placement = 'home_banner') => ({
    minute: minuteOf(bed.clock.now()),
    publisherId: asPublisherId('pub_sunrise'),
    appId: asAppId('app_sunrise_puzzle'),
    placement: asPlacementCode(placement),
    format: 'banner' as const,
    country: 'DE',
    advertiserId: asAdvertiserId('adv_northwind'),
    campaignId: asCampaignId(campaignId),
    creativeId: asCreativeId('cr_spring_banner'),
    count,
    reservedNanos: count * 2_500_000n,
    expiresAtMs: bed.clock.now() + AD_TTL_MS,
  });

  it('a report without a split has one row, also without any counts', async () => {
    expect(await read([])).to.deep.equal([
      {
        keys: [],
        requests: 0n,
        fills: 0n,
        noFills: new Map(),
        impressions: 0n,
        clicks: 0n,
        rewards: 0n,
        fallbacks: 0n,
        rejected: new Map(),
        errors: new Map(),
        spendNanos: 0n,
        revenueNanos: 0n,
      },
    ]);
    expect(await read(['campaign'])).to.deep.equal([]);
  });

  it('counts 100 requests, 40 fills, 25 impressions and 60 fallbacks, and totals equal per-day and per-placement sums', async () => {
    await openStores(bed.pool).counts.addServingReport({
      name: { reporterId: 'replica', sequence: 1n },
      requests: [
        requests('', 30n),
        requests('', 10n, 'menu_banner'),
        requests('no_eligible_campaign', 58n),
        requests('test_no_fill', 2n, 'menu_banner'),
      ],
      fills: [fills(30n), fills(10n, 'cmp_spring', 'menu_banner')],
      traffic: [],
      losses: [],
    });
    for (let shown = 0; shown < 25; shown += 1) await send(service, 'impression', bed.fill());
    for (const reason of ['no_fill', 'timeout', 'error', 'creative_failed'] as const) {
      for (let count = 0; count < 15; count += 1)
        await fallback(reason, count < 5 ? 'menu_banner' : 'home_banner');
    }
    await bed.settle();
    const all = await total();
    expect(all).to.include({
      requests: 100n,
      fills: 40n,
      impressions: 25n,
      fallbacks: 60n,
      spendNanos: 62_500_000n,
      revenueNanos: 43_750_000n,
    });
    expect(Object.fromEntries(all.noFills ?? [])).to.deep.equal({
      no_eligible_campaign: 58n,
      test_no_fill: 2n,
    });
    for (const by of ['day', 'placement', 'hour', 'app', 'publisher', 'format'] as const) {
      const rows = await read([by]);
      const sum = (column: 'requests' | 'fills' | 'impressions' | 'fallbacks') =>
        rows.reduce((count, row) => count + (row[column] ?? 0n), 0n);
      expect([sum('requests'), sum('fills'), sum('impressions'), sum('fallbacks')], by).to.deep.equal([
        100n,
        40n,
        25n,
        60n,
      ]);
    }
    expect(
      (await read(['placement'])).map((row) => [row.keys[0], row.requests, row.fallbacks]),
    ).to.deep.equal([
      ['home_banner', 88n, 40n],
      ['menu_banner', 12n, 20n],
    ]);
  });

  it('requests, no-fills and fallbacks are null in rows split by advertiser, campaign or creative', async () => {
    await openStores(bed.pool).counts.addServingReport({
      name: { reporterId: 'replica', sequence: 1n },
      requests: [requests('', 1n)],
      fills: [fills(1n)],
      traffic: [],
      losses: [],
    });
    await fallback('error');
    await bed.settle();
    for (const by of [['advertiser'], ['campaign'], ['creative'], ['app', 'campaign']] as const) {
      const rows = await read(by);
      expect(rows).to.have.length(1);
      expect(rows[0]).to.include({ requests: null, noFills: null, fallbacks: null, fills: 1n });
    }
    expect((await read(['publisher']))[0]).to.include({ requests: 1n, fallbacks: 1n });
  });

  it('rejections count by reason, unreadable ones only where the split does not need the token', async () => {
    const claims = bed.fill();
    await send(service, 'impression', claims);
    await send(service, 'impression', claims);
    await send(service, 'reward', claims);
    for (const impressionToken of ['blah', 'a.b.c']) {
      await service.record(
        { type: 'click', requestId: 'req_x', impressionToken, completion: null },
        { deadlineAt: Infinity, requestId: '-' },
      );
    }
    await flushRejections();
    await bed.settle();
    const rejectedOf = (row: FlatRow | undefined) => Object.fromEntries(row?.rejected ?? []);
    expect(rejectedOf(await total())).to.deep.equal({ duplicate: 1n, invalid_token: 3n });
    expect(rejectedOf((await read(['day']))[0])).to.deep.equal({ duplicate: 1n, invalid_token: 3n });
    for (const by of ['app', 'country', 'campaign', 'creative', 'format'] as const) {
      const rows = await read([by]);
      expect(rows, by).to.have.length(1);
      expect(rejectedOf(rows[0]), by).to.deep.equal({ duplicate: 1n, invalid_token: 1n });
    }
  });

  it('fallbacks that an earlier release stored as rows count once, and not by country', async () => {
    const atMs = bed.clock.now();
    await fallback('error', 'home_banner', 'SE');
    await bed.storeFallbackRow('req_before');
    expect((await total()).fallbacks, 'before its settlement').to.equal(1n);
    await bed.settle();
    await bed.settle();
    expect((await total()).fallbacks).to.equal(2n);
    expect((await read(['app'])).map((row) => [...row.keys, row.fallbacks])).to.deep.equal([
      ['app_sunrise_puzzle', 2n],
    ]);
    expect(await read(['country'])).to.deep.equal([]);
    await openStores(bed.pool).counts.addServingReport({
      name: { reporterId: 'replica', sequence: 1n },
      requests: [requests('', 1n)],
      fills: [],
      traffic: [],
      losses: [],
    });
    expect((await read(['app', 'country']))[0]).to.include({ requests: 1n, fallbacks: null });
    const hour = hourOf(atMs) * HOUR_MS;
    bed.clock.set(hour + HOUR_MS);
    await fallback('error', 'home_banner', 'SE');
    const since = await read(['country'], hour + HOUR_MS, hour + 2 * HOUR_MS);
    expect(
      since.map((row) => [...row.keys, row.fallbacks]),
      'a range without such rows',
    ).to.deep.equal([['SE', 1n]]);
  });

  it('test traffic is not counted in any column', async () => {
    const claims = bed.fill({ isTest: true, format: 'rewarded', campaignId: asCampaignId('cmp_test') });
    for (const type of ['impression', 'impression', 'click', 'reward', 'reward'] as const)
      await send(service, type, claims);
    await service.record(
      { type: 'click', requestId: 'req_other', impressionToken: tokenOf(claims), completion: null },
      { deadlineAt: Infinity, requestId: '-' },
    );
    expect(service.rejections).to.have.length(3);
    await flushRejections();
    await bed.settle();
    expect(await total()).to.deep.include({ impressions: 0n, clicks: 0n, rewards: 0n, rejected: new Map() });
    expect(await read(['campaign'])).to.deep.equal([]);
  });

  it('only completed rewards count, and clicks never pass impressions in any row', async () => {
    for (const completion of [true, false, true]) {
      const claims = bed.fill({ format: 'rewarded', placement: asPlacementCode('video') });
      await send(service, 'click', claims);
      await send(service, 'impression', claims);
      await Promise.all(Array.from({ length: 5 }, () => send(service, 'click', claims)));
      await send(service, 'reward', claims, completion);
    }
    await bed.settle();
    expect(await total()).to.include({ impressions: 3n, clicks: 3n, rewards: 2n });
    for (const by of ['hour', 'placement', 'creative'] as const) {
      for (const row of await read([by])) expect(row.clicks! <= row.impressions!).to.equal(true);
    }
  });

  it('hour and day are those of the event in UTC, whatever the time zone of the database', async () => {
    await bed.pool.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone TO ''America/New_York''', current_database()); END $$`,
    );
    const fresh = makePool({ url: bed.url, poolMax: 2 }, () => undefined);
    const midnightMs = (dayOf(Date.now()) - 1) * DAY_MS;
    for (const atMs of [midnightMs - 1, midnightMs, midnightMs + HOUR_MS]) {
      bed.clock.set(atMs);
      await send(service, 'impression', bed.fill({ expiresAtMs: Date.now() + HOUR_MS }));
    }
    await bed.settle();
    const getReport = makeGetReport(openStores(fresh).report);
    const query = { fromMs: midnightMs - DAY_MS, toMs: midnightMs + DAY_MS, filters: [], days: [] };
    const days = await getReport({ ...query, by: ['day'] });
    const hours = await getReport({ ...query, by: ['hour'] });
    expect(days.rows.map((row) => [row.keys, row.events?.impressions])).to.deep.equal([
      [[dayToIso(dayOf(midnightMs) - 1)], 1n],
      [[dayToIso(dayOf(midnightMs))], 2n],
    ]);
    expect(hours.rows.map((row) => row.keys[0])).to.deep.equal(
      [midnightMs - HOUR_MS, midnightMs, midnightMs + HOUR_MS].map((atMs) =>
        toIso(atMs).replace('.000Z', 'Z'),
      ),
    );
    const part = await getReport({ ...query, by: [], fromMs: midnightMs + 1, toMs: midnightMs + 2 });
    await fresh.end();
    expect(part.rows[0]?.events?.impressions, 'whole hours').to.equal(1n);
  });

  it('rows are ordered by their keys, unknown values are empty, several keys split together', async () => {
    for (const overrides of [
      { country: null, creativeId: asCreativeId('cr_b') },
      { country: 'DE', creativeId: asCreativeId('cr_b') },
      { country: 'AT', creativeId: asCreativeId('cr_c') },
      { country: 'AT', creativeId: asCreativeId('cr_a') },
    ]) {
      await send(service, 'impression', bed.fill(overrides));
    }
    await bed.settle();
    expect((await read(['country', 'creative'])).map((row) => row.keys)).to.deep.equal([
      ['', 'cr_b'],
      ['AT', 'cr_a'],
      ['AT', 'cr_c'],
      ['DE', 'cr_b'],
    ]);
  });

  it('a range may reach from 1970 to 9999, and not beyond', async () => {
    expect(await read([], 0, CALENDAR_END_MS)).to.have.length(1);
    expect(await read(['day'], CALENDAR_END_MS - 1, CALENDAR_END_MS)).to.deep.equal([]);
    for (const [fromMs, toMs] of [
      [-1, 1],
      [0, CALENDAR_END_MS + 1],
      [Number.NaN, 1],
      [-(2 ** 63), 2 ** 63],
    ] as const) {
      const refused: unknown = await read([], fromMs, toMs).catch((error: unknown) => error);
      expect((refused as AppError).code).to.equal('invalid_argument');
    }
  });

  it('a range that ends before it begins is refused, and so is a repeated key', async () => {
    for (const wrong of [read([], 2, 1), read(['day', 'day'])]) {
      expect(((await wrong.catch((error: unknown) => error)) as AppError).code).to.equal('invalid_argument');
    }
  });

  it('counts beyond 2^53 are exact', async () => {
    const many = 9_007_199_254_740_993n;
    await openStores(bed.pool).counts.addServingReport({
      name: { reporterId: 'replica', sequence: 1n },
      requests: [requests('', many), requests('serving_disabled', 2n)],
      fills: [],
      traffic: [],
      losses: [],
    });
    expect((await total()).requests).to.equal(many + 2n);
  });
});
