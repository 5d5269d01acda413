import type { AppError } from '@placard/service-kit';
import { makeTestClock } from '@placard/service-kit/testing';
import { expect } from 'chai';
import type { CountsQuery } from '../clients/reports.js';
import type { Figures } from '../domain/figures.js';
import type { ReportObjects } from '../store/report-objects.js';
import { makeGetReport, type ReportRequest } from './get-report.js';

const EMPTY: Figures = {
  requests: 0n,
  fills: 0n,
  noFills: new Map(),
  impressions: 0n,
  clicks: 0n,
  rewards: 0n,
  fallbacks: new Map(),
  rejected: new Map(),
  errors: new Map(),
  spendNanos: 0n,
  revenueNanos: 0n,
};
const REQUEST: ReportRequest = {
  by: [],
  from: null,
  to: null,
  filters: [],
  zone: 'UTC',
  isCompared: false,
};
const NO_OBJECTS: ReportObjects = {
  namesOf: () => Promise.resolve(new Map()),
  placementCodes: (codes) => Promise.resolve(new Set(codes)),
  buyers: () => Promise.resolve([]),
};

/** Answers a row with one fill for each query, and notes the queries. */
function openReport(objects: ReportObjects = NO_OBJECTS) {
  const queries: CountsQuery[] = [];
  const getReport = makeGetReport({
    fetchReport: (query) => {
      queries.push(query);
      const keys = query.by.map((key) => (key === 'day' ? '2026-11-09' : `one_${key}`));
      return Promise.resolve({ asOfMs: 1, rows: [{ keys, figures: { ...EMPTY, fills: 1n } }], empty: EMPTY });
    },
    objects,
    clock: makeTestClock(Date.UTC(2026, 10, 10, 12)),
  });
  return { getReport: (asked: Partial<ReportRequest>) => getReport({ ...REQUEST, ...asked }), queries };
}

describe('a report for an operator', () => {
  it('names days of a zone to events-service only when rows are split by day', async () => {
    const { getReport, queries } = openReport();
    await getReport({ zone: 'Europe/Vienna' });
    await getReport({ zone: 'UTC', by: ['day'] });
    await getReport({ zone: 'Europe/Vienna', by: ['day'], from: { day: '2026-11-09' } });
    expect(queries.map(({ days }) => days.map(({ name }) => name))).to.eql([
      [],
      [],
      ['2026-11-09', '2026-11-10'],
    ]);
  });

  it('asks for the names of publishers, apps, advertisers and campaigns of its rows', async () => {
    const asked: string[] = [];
    const { getReport } = openReport({
      ...NO_OBJECTS,
      namesOf: (objects) => {
        asked.push(...objects.map(({ kind, id }) => `${kind}/${id}`));
        return Promise.resolve(new Map([['app/one_app', 'One']]));
      },
    });
    const { names } = await getReport({ by: ['app', 'placement', 'campaign', 'creative'] });
    expect(asked).to.eql(['app/one_app', 'campaign/one_campaign']);
    expect(names.get('app/one_app')).to.equal('One');
  });

  it('compares days with those of the range before, at the same places', async () => {
    const { getReport, queries } = openReport();
    const asked = {
      by: ['day'],
      isCompared: true,
      from: { day: '2026-11-09' },
      to: { day: '2026-11-10' },
    } as const;
    const report = await getReport(asked);
    expect(queries.map(({ fromMs }) => new Date(fromMs).toISOString().slice(0, 10))).to.eql([
      '2026-11-09',
      '2026-11-07',
    ]);
    expect(
      report.rows.map(({ keys, figures, previous }) => [...keys, figures.fills, previous?.fills]),
    ).to.eql([
      ['2026-11-09', 1n, 0n],
      ['2026-11-11', 0n, 1n],
    ]);
    expect([report.total.figures.fills, report.total.previous?.fills]).to.eql([1n, 1n]);
  });

  it('reads the catalog only for a split by buyer, and passes its filters on', async () => {
    const levels: unknown[] = [];
    const { getReport } = openReport({
      ...NO_OBJECTS,
      buyers: (level, filters) => {
        levels.push([level, filters]);
        return Promise.resolve([{ advertiser: 'adv_a', campaign: 'cmp_a', creative: null }]);
      },
      namesOf: () => Promise.resolve(new Map([['advertiser/adv_a', 'A']])),
    });
    await getReport({ by: ['day', 'campaign'] });
    const filters = [{ key: 'advertiser', values: ['adv_a'] }] as const;
    const { rows } = await getReport({ by: ['campaign', 'advertiser'], filters });
    expect(levels).to.eql([['campaign', { advertisers: ['adv_a'], campaigns: null }]]);
    expect(rows.map(({ keys }) => keys.join())).to.eql(['cmp_a,adv_a', 'one_campaign,one_advertiser']);
  });

  it('refuses a zone, a range and a comparison that the counts do not have', async () => {
    const { getReport, queries } = openReport();
    const old = { day: '1970-01-03' };
    for (const [asked, wanted] of [
      [{ zone: 'Vienna' }, /no time zone Vienna/],
      [{ zone: 'Asia/Kolkata' }, /2026-11-04 in Asia\/\w+ begins at 2026-11-03T18:30:00.000Z/],
      [{ from: { day: '2026-11-10' }, to: { day: '2026-11-09' } }, /range is empty/],
      [{ zone: 'Europe/Vienna', by: ['day'], from: { day: '1990-01-01' } }, /at most 1100 days/],
      [{ isCompared: true, from: { day: '1970-01-02' }, to: old }, /before 1970/],
    ] as const) {
      const refused: unknown = await getReport(asked).catch((error: unknown) => error);
      expect((refused as AppError).code).to.equal('invalid_argument');
      expect((refused as AppError).publicText)
        .to.match(/^The report is refused: /)
        .and.to.match(wanted);
    }
    expect(queries).to.eql([]);
  });
});
