import type { AppError } from '@placard/service-kit';
import {
  DAY_MS,
  HOUR_MS,
  asAdvertiserId,
  asAppId,
  asAppKey,
  asCampaignId,
  asCreativeId,
  asPlacementCode,
  asPublisherId,
  hourOf,
  minuteOf,
  type App,
} from '@placard/service-kit/pure';
import { expect } from 'chai';
import type { ReportFilter, ReportKey } from '../../src/reports/domain/report-sources.js';
import type { FillCount, RequestCount } from '../../src/reports/store/counts.js';
import { makeGetReport } from '../../src/reports/usecase/get-report.js';
import { makeReportErrors } from '../../src/reports/usecase/report-errors.js';
import { openBed, openStores, type Bed } from '../support/bed.js';
import { flat, type FlatRow } from '../support/flat-row.js';

const PLACE = {
  publisherId: asPublisherId('pub_sunrise'),
  appId: asAppId('app_sunrise_puzzle'),
  format: 'banner' as const,
  country: 'DE',
};

describe('a report with filters, named days, versions and errors', () => {
  let bed: Bed;
  beforeEach(async () => {
    bed = await openBed();
  });
  afterEach(() => bed.drop());

  const read = async (
    by: readonly ReportKey[],
    fromMs = Date.now() - DAY_MS,
    toMs = Date.now() + DAY_MS,
    filters: readonly ReportFilter[] = [],
  ) => {
    const query = { by, fromMs, toMs, filters, days: [] };
    return (await makeGetReport(openStores(bed.pool).report)(query)).rows.map(flat);
  };
  const total = async (): Promise<FlatRow> => (await read([]))[0]!;
  const requests = (noFillReason: string, count: bigint, placement = 'home_banner'): RequestCount => ({
    ...PLACE,
    hour: hourOf(bed.clock.now()),
    placement: asPlacementCode(placement),
    noFillReason,
    appVersion: '',
    sdkVersion: '',
    count,
  });
  const fills = (count: bigint, campaignId = 'cmp_spring'): FillCount => ({
    ...PLACE,
    minute: minuteOf(bed.clock.now()),
    placement: asPlacementCode('home_banner'),
    advertiserId: asAdvertiserId('adv_northwind'),
    campaignId: asCampaignId(campaignId),
    creativeId: asCreativeId('cr_spring_banner'),
    count,
    reservedNanos: 0n,
    expiresAtMs: 0,
  });

  it('filters keep counts with one of the values of each key, and drop figures that have no such key', async () => {
    await openStores(bed.pool).counts.addServingReport({
      name: { reporterId: 'replica', sequence: 1n },
      requests: [requests('', 3n), requests('no_eligible_campaign', 2n, 'menu_banner')],
      fills: [fills(3n), fills(4n, 'cmp_other')],
      traffic: [],
      losses: [],
    });
    const day = [Date.now() - DAY_MS, Date.now() + DAY_MS] as const;
    const filtered = async (by: readonly ReportKey[], ...filters: ReportFilter[]) =>
      (await read(by, ...day, filters)).map(({ keys, requests: asked, fills: filled }) => [
        ...keys,
        asked,
        filled,
      ]);
    expect(await filtered([], { key: 'placement', values: ['home_banner'] })).to.deep.equal([[3n, 7n]]);
    expect(await filtered([], { key: 'placement', values: ['home_banner', 'menu_banner'] })).to.deep.equal([
      [5n, 7n],
    ]);
    expect(await filtered(['placement'], { key: 'campaign', values: ['cmp_other'] })).to.deep.equal([
      ['home_banner', null, 4n],
    ]);
    expect(
      await filtered(
        [],
        { key: 'app', values: ['app_sunrise_puzzle'] },
        { key: 'country', values: ["DE' OR true --"] },
      ),
    ).to.deep.equal([[0n, 0n]]);
  });

  it('named days begin where the report says, also days of 23 and 25 hours', async () => {
    // Vienna: 29 March 2026 has 23 hours, 25 October has 25.
    const days = [
      { name: '2026-03-28', fromMs: Date.UTC(2026, 2, 27, 23) },
      { name: '2026-03-29', fromMs: Date.UTC(2026, 2, 28, 23) },
      { name: '2026-03-30', fromMs: Date.UTC(2026, 2, 29, 22) },
    ];
    const hours = Array.from({ length: 71 }, (_, hour) => days[0]!.fromMs + hour * HOUR_MS);
    await openStores(bed.pool).counts.addServingReport({
      name: { reporterId: 'replica', sequence: 1n },
      requests: hours.map((atMs) => ({ ...requests('', 1n), hour: hourOf(atMs) })),
      fills: [],
      traffic: [],
      losses: [],
    });
    const getReport = makeGetReport(openStores(bed.pool).report);
    const range = { fromMs: days[0]!.fromMs, toMs: days[2]!.fromMs + DAY_MS, filters: [] };
    const { rows } = await getReport({ by: ['day'], ...range, days });
    expect(rows.map((row) => [...row.keys, row.requests])).to.deep.equal([
      ['2026-03-28', 24n],
      ['2026-03-29', 23n],
      ['2026-03-30', 24n],
    ]);
    for (const wrong of [
      days.slice(1),
      days.toReversed(),
      [...days, { name: 'half', fromMs: days[2]!.fromMs + HOUR_MS / 2 }],
      Array.from({ length: 1_101 }, (_, hour) => ({ name: 'x', fromMs: hour * HOUR_MS })),
    ]) {
      const refused: unknown = await getReport({ by: ['day'], ...range, days: wrong }).catch(
        (error: unknown) => error,
      );
      expect((refused as AppError).code).to.equal('invalid_argument');
    }
  });

  it('requests are split by version, with their fills, and versions only by the keys that are counted with them', async () => {
    const named = (appVersion: string, noFillReason: string, count: bigint) => ({
      ...requests(noFillReason, count),
      appVersion,
      sdkVersion: '2.0',
    });
    await openStores(bed.pool).counts.addServingReport({
      name: { reporterId: 'replica', sequence: 1n },
      requests: [named('3.1', '', 5n), named('3.2', '', 1n), named('3.2', 'over_fraud_cap', 4n)],
      fills: [fills(6n)],
      traffic: [],
      losses: [],
    });
    const rows = await read(['app_version', 'country']);
    expect(rows.map(({ keys, requests: asked, fills: filled }) => [...keys, asked, filled])).to.deep.equal([
      ['3.1', 'DE', 5n, 5n],
      ['3.2', 'DE', 5n, 1n],
    ]);
    expect(Object.fromEntries(rows[1]!.noFills!)).to.deep.equal({ over_fraud_cap: 4n });
    expect((await total()).requests).to.equal(10n);
    for (const other of ['campaign', 'placement', 'format'] as const) {
      const refused: unknown = await read(['app_version', other]).catch((error: unknown) => error);
      expect((refused as AppError).publicText).to.match(/^Versions are counted with these keys only: hour/);
    }
  });

  it('errors count by app and code once per report, and without an app where its key is unknown', async () => {
    const known = { publisherId: asPublisherId('pub_sunrise'), id: asAppId('app_sunrise_puzzle') } as App;
    const report = makeReportErrors(openStores(bed.pool).counts, {
      appByKey: (key) => (key === asAppKey('app_known') ? known : undefined),
    });
    const error = (appKey: string | null, count: bigint) => ({
      hour: hourOf(bed.clock.now()),
      appKey: appKey === null ? null : asAppKey(appKey),
      error: '401.invalid_session' as const,
      count,
    });
    const name = { reporterId: 'gateway', sequence: 1n };
    const errors = [error('app_known', 2n), error('app_made_up', 3n), error(null, 4n)];
    await report(name, errors);
    await report(name, errors);
    const errorsOf = (row: FlatRow | undefined) => Object.fromEntries(row?.errors ?? []);
    expect(errorsOf(await total())).to.deep.equal({ '401.invalid_session': 9n });
    const rows = await read(['app']);
    expect(rows.map((row) => [...row.keys, errorsOf(row)])).to.deep.equal([
      ['app_sunrise_puzzle', { '401.invalid_session': 2n }],
    ]);
    await openStores(bed.pool).counts.addServingReport({
      name: { reporterId: 'replica', sequence: 1n },
      requests: [requests('', 1n)],
      fills: [],
      traffic: [],
      losses: [],
    });
    expect((await read(['placement']))[0]?.errors).to.equal(null);
  });
});
