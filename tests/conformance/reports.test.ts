import { expect } from 'chai';
import type { Report, ReportRow } from '../driver/books.js';
import { nanos } from '../driver/books.js';
import type { AppEntry } from '../driver/catalog.js';
import {
  expectAccepted,
  expectError,
  expectInvalid,
  expectRejected,
  expectRewarded,
  fillOf,
} from '../driver/expect.js';
import { inTurns, pass } from '../driver/phone.js';
import { World } from '../driver/world.js';

const world = new World('plain');
const DAY_MS = 86_400_000;

// A campaign of 40 impressions: of 100 requests 40 can fill.
const main = world.pair({ budget_total: '0.1' });
const second = world.pair();
const tested = world.pair();
const mixed = world.pair({}, { placements: [{ code: 'home_banner', format: 'banner', paused: true }] });
const capped = world.pair(
  {},
  { placements: [{ code: 'home_banner', format: 'banner', frequency_cap: { count: 1, period: 'session' } }] },
);

function only(rows: readonly ReportRow[]): ReportRow {
  expect(rows.length).to.equal(1);
  return rows[0]!;
}

const NOTHING = {
  requests: 0,
  fills: 0,
  no_fills: {},
  impressions: 0,
  clicks: 0,
  rewards: 0,
  fallbacks: 0,
  fallbacks_by_reason: {},
  rejected: {},
  fill_rate: null,
  show_rate: null,
  ctr: null,
  ecpm: null,
};

/** 100 requests of which 40 can fill, 25 impressions, 60 fallbacks with all reasons, and traffic that must not count. */
async function mainTraffic(): Promise<void> {
  const phones = await inTurns(4, 4, () => world.phone(main.app));
  const shown = await inTurns(100, 10, async (index) => {
    const phone = phones[index % 4]!;
    const answer = await phone.request('banner');
    return answer.body.status === 'fill' ? { phone, fill: fillOf(answer) } : null;
  });
  const filled = shown.filter((one) => one !== null);
  expect(filled.length).to.equal(40);
  for (const { phone, fill } of filled.slice(0, 25)) expectAccepted(await phone.impression(fill));
  for (const reason of ['no_fill', 'timeout', 'error', 'creative_failed']) {
    await inTurns(15, 5, async () => expectAccepted(await phones[0]!.fallback('home_banner', reason)));
  }
  const tester = await world.phone(main.app, { test_mode: true });
  await inTurns(10, 5, async () => expectAccepted(await tester.fallback('home_banner')));
  await inTurns(5, 5, async () =>
    expectError(await phones[1]!.fallback('nowhere'), 404, 'placement_not_found'),
  );
  await inTurns(3, 3, async () =>
    expectInvalid(await phones[1]!.fallback('home_banner', 'disabled'), ['reason']),
  );
}

/** Every kind of event and of rejection, all on the rewarded placement. */
async function eventTraffic(): Promise<void> {
  const phone = await world.phone(second.app);
  const fills = await phone.fills(4, 'rewarded');
  expectRejected(await phone.click(fills[0]!), 'no_impression');
  for (const fill of fills.slice(0, 3)) expectAccepted(await phone.impression(fill));
  expectRejected(await phone.click(fills[2]!), 'suspicious');
  expectRejected(await phone.impression(fills[0]!), 'duplicate');
  expectRejected(await phone.event('impression', fills[3]!, { request_id: 'req_other' }), 'request_mismatch');
  expectRewarded(await phone.reward(fills[0]!, true), true);
  expectRewarded(await phone.reward(fills[1]!, false), false);
  expectRejected(await phone.reward(fills[1]!, true), 'duplicate');
  await pass(1_050);
  expectAccepted(await phone.click(fills[0]!));
  expectRejected(await phone.click(fills[0]!), 'duplicate');
}

/** Requests for the banner that fail before the placement or are tests, and one that is counted. */
async function requestTraffic(): Promise<void> {
  const phone = await world.phone(second.app);
  await phone.request('banner', { placement: 'nowhere' });
  await phone.request('banner', { format: 'rewarded' });
  await phone.request('banner', { session_token: 'x' });
  await phone.request('banner', { test_force_no_fill: true });
  await phone.request('banner', { test_mode: true });
}

/** No-fills of other reasons. One is from Switzerland, and its phone falls back. */
async function noFillTraffic(): Promise<void> {
  const paused = await world.phone(mixed.app);
  await inTurns(2, 1, () => paused.request('banner'));
  const swiss = await world.phone(mixed.app, { country: 'CH' });
  await swiss.request('banner');
  expectAccepted(await swiss.fallback('home_banner'));
  const phone = await world.phone(capped.app);
  await inTurns(32, 1, () => phone.request('banner'));
}

/** A test session and test requests of a live one. */
async function testTraffic(): Promise<void> {
  const tester = await world.phone(tested.app, { test_mode: true });
  const live = await world.phone(tested.app);
  const fills = [await tester.fill('rewarded'), await live.fill('rewarded', { test_mode: true })];
  for (const fill of fills) {
    expectAccepted(await tester.impression(fill));
    expectRejected(await tester.impression(fill), 'duplicate');
    expectRewarded(await tester.reward(fill, true), true);
  }
  await tester.fallback('home_banner');
  await tester.request('banner', { test_force_no_fill: true });
}

let traffic: Promise<void> | undefined;

/** Sends all traffic of this file once, and waits until it is counted. */
function countedTraffic(): Promise<void> {
  traffic ??= Promise.all([
    mainTraffic(),
    eventTraffic(),
    requestTraffic(),
    noFillTraffic(),
    testTraffic(),
  ]).then(async () => {
    await world.settle();
  });
  return traffic;
}

/** The rows of a report split by `by` that belong to the app. */
async function rowsOf(by: string, app: AppEntry): Promise<readonly ReportRow[]> {
  return (await world.report('--by', by)).rows.filter((row) => row.app === app.id);
}

/** Must be called first in a suite. */
function useTraffic(): void {
  world.use();
  before('traffic is counted', countedTraffic).timeout(60_000);
}

describe('a report of one app', () => {
  useTraffic();

  it('counts requests, fills, no-fills by reason, impressions, fallbacks, spend and revenue', async () => {
    expect(only(await rowsOf('app', main.app))).to.deep.equal({
      ...NOTHING,
      app: main.app.id,
      names: { app: main.app.name },
      requests: 100,
      fills: 40,
      no_fills: { no_eligible_campaign: 60 },
      impressions: 25,
      fallbacks: 60,
      fallbacks_by_reason: { no_fill: 15, timeout: 15, error: 15, creative_failed: 15 },
      // Three fallbacks with an unknown reason and five at an unknown placement name no app key.
      errors: {},
      spend: '0.062500000',
      revenue: '0.043750000',
      fill_rate: '0.400000',
      show_rate: '0.625000',
      ctr: '0.000000',
      ecpm: '1.750000000',
    });
  });

  it('gives the same totals by day, by hour, by placement, by format and by country', async () => {
    for (const split of ['day', 'hour', 'placement', 'format', 'country', 'publisher']) {
      const rows = (await world.report('--by', `app,${split}`)).rows.filter((row) => row.app === main.app.id);
      const sum = (pick: (row: ReportRow) => number): number =>
        rows.reduce((total, row) => total + pick(row), 0);
      expect(
        sum((row) => row.requests!),
        split,
      ).to.equal(100);
      expect(
        sum((row) => row.fills),
        split,
      ).to.equal(40);
      expect(
        sum((row) => row.impressions),
        split,
      ).to.equal(25);
      expect(
        sum((row) => row.fallbacks!),
        split,
      ).to.equal(60);
      expect(rows.reduce((total, row) => total + nanos(row.spend), 0n)).to.equal(62_500_000n);
    }
  }).timeout(30_000);

  it('has null for figures that the split does not apply to', async () => {
    for (const split of ['advertiser', 'campaign', 'creative']) {
      const rows = (await world.report('--by', `app,${split}`)).rows.filter((row) => row.app === main.app.id);
      const shown = rows.filter((row) => row.impressions > 0);
      const { requests, no_fills, fallbacks, fills, impressions, spend } = only(shown);
      expect({ requests, no_fills, fallbacks, fills, impressions, spend }, split).to.deep.equal({
        requests: null,
        no_fills: null,
        fallbacks: null,
        fills: 40,
        impressions: 25,
        spend: '0.062500000',
      });
    }
  });
});

describe('events in a report', () => {
  useTraffic();

  it('are clicks, completed rewards, and rejections by reason', async () => {
    const rows = await rowsOf('app,placement', second.app);
    expect(only(rows.filter((row) => row.placement === 'extra_life'))).to.deep.equal({
      ...NOTHING,
      app: second.app.id,
      placement: 'extra_life',
      names: { app: second.app.name },
      errors: null,
      requests: 4,
      fills: 4,
      impressions: 3,
      clicks: 1,
      rewards: 1,
      rejected: { duplicate: 3, no_impression: 1, request_mismatch: 1, suspicious: 1 },
      spend: '0.007500000',
      revenue: '0.005250000',
      fill_rate: '1.000000',
      show_rate: '0.750000',
      ctr: '0.333333',
      ecpm: '1.750000000',
    });
  });

  it('never show more clicks than impressions in a row or a range', async () => {
    const { rows } = await world.report('--by', 'hour,campaign');
    for (const row of rows) expect(row.clicks, JSON.stringify(row)).to.be.at.most(row.impressions);
  });

  it('with an unreadable token appear only in reports without a split', async () => {
    const before = only((await world.report()).rows).rejected?.['invalid_token'] ?? 0;
    for (let count = 0; count < 3; count += 1) {
      await world.post('/v1/events/impression', { request_id: 'req_x', impression_token: 'x' });
    }
    await world.settle();
    const after = only((await world.report()).rows).rejected?.['invalid_token'] ?? 0;
    expect(after - before).to.equal(3);
    const { rows } = await world.report('--by', 'app');
    const split = rows.reduce((total, row) => total + (row.rejected?.['invalid_token'] ?? 0), 0);
    expect(split).to.be.below(after);
  });
});

describe('requests in a report', () => {
  useTraffic();

  it('are live ones that reached the placement, including forced no-fills', async () => {
    const rows = await rowsOf('app,placement', second.app);
    const { requests, no_fills } = only(rows.filter((row) => row.placement === 'home_banner'));
    expect({ requests, no_fills }).to.deep.equal({ requests: 1, no_fills: { test_no_fill: 1 } });
  });

  it('have the reason of each no-fill', async () => {
    expect(only(await rowsOf('app', mixed.app)).no_fills).to.deep.equal({ placement_disabled: 3 });
    expect(only(await rowsOf('app', capped.app)).no_fills).to.deep.equal({
      frequency_capped: 29,
      over_fraud_cap: 2,
    });
  });

  it('and fallbacks are split by the country of the request', async () => {
    const rows = await rowsOf('app,country', mixed.app);
    const { requests, fallbacks } = only(rows.filter((row) => row.country === 'CH'));
    expect({ requests, fallbacks }).to.deep.equal({ requests: 1, fallbacks: 1 });
    expect(
      rows.reduce((total, row) => total + row.fallbacks!, 0),
      'no row without a country',
    ).to.equal(1);
  });
});

describe('integration errors in a report', () => {
  useTraffic();

  it('are counted by status and code for the app whose key the request names', async () => {
    const errorsOf = async () => only(await rowsOf('app', second.app)).errors;
    const wanted = { '401.invalid_session': 1, '404.placement_not_found': 1, '422.format_mismatch': 1 };
    // The gateway sends its counts each second, and nothing waits for them.
    for (let tries = 0; Object.keys((await errorsOf()) ?? {}).length < 3 && tries < 20; tries += 1)
      await pass(200);
    expect(await errorsOf()).to.deep.equal(wanted);
  });
});

describe('rows of a report', () => {
  useTraffic();

  it('include each campaign that never filled, with zeros, and its name', async () => {
    const { rows } = await world.report('--by', 'campaign');
    const row = only(rows.filter(({ campaign }) => campaign === mixed.campaign.id));
    expect(row).to.deep.include({ fills: 0, impressions: 0, names: { campaign: mixed.campaign.name } });
  });

  it('add up to the total, and are compared with the range before', async () => {
    const report = await world.report('--by', 'app', '--compare', '--zone', 'Europe/Vienna');
    const sum = report.rows.reduce((total, row) => total + row.fills, 0);
    expect(report.total.fills).to.equal(sum);
    expect(report.total.previous?.fills).to.equal(0);
    expect(report.zone).to.equal('Europe/Vienna');
  });

  it('are filtered by what the options name', async () => {
    const filters = ['--app', main.app.id, '--country', 'SE'];
    const { rows } = await world.report(...filters);
    expect(only(rows)).to.include({ requests: 0, fills: 0 });
    const all = await world.report('--app', main.app.id, '--format-of-ad', 'banner');
    expect(only(all.rows)).to.include({ requests: 100, fills: 40, impressions: 25 });
  });
});

describe('test traffic in a report', () => {
  useTraffic();

  it('is not counted in any column', async () => {
    for (const row of await rowsOf('app', tested.app)) {
      expect({ ...row, app: '', names: {} }).to.deep.equal({
        ...NOTHING,
        app: '',
        names: {},
        errors: {},
        spend: '0.000000000',
        revenue: '0.000000000',
      });
    }
    const { rows } = await world.report('--by', 'campaign');
    expect(rows.map((row) => row.campaign)).to.not.include('cmp_test');
  });
});

describe('the range of a report', () => {
  world.use();

  const midnight = (report: Report, days: number): string =>
    new Date(Math.floor(Date.parse(report.as_of) / DAY_MS) * DAY_MS + days * DAY_MS)
      .toISOString()
      .slice(0, 19);

  it('is by default the last seven UTC days, today included', async () => {
    const report = await world.report();
    expect(Date.parse(report.as_of)).to.be.within(Date.now() - 120_000, Date.now() + 1_000);
    expect(report.from.slice(0, 19)).to.equal(midnight(report, -6));
    expect(Date.parse(report.to)).to.be.greaterThan(Date.now() - 1_000);
    for (const text of [report.as_of, report.from, report.to]) expect(text).to.match(/Z$/);
  });

  it('is given by UTC days, both included, or by instants, half-open', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const days = await world.report('--from', today, '--to', today);
    expect(Date.parse(days.from)).to.equal(Date.parse(`${today}T00:00:00Z`));
    expect(Date.parse(days.to)).to.equal(Date.parse(`${today}T00:00:00Z`) + DAY_MS);
    const none = await world.report(
      '--from',
      '2020-01-01T00:00:00Z',
      '--to',
      '2020-01-02T00:00:00Z',
      '--by',
      'app',
    );
    expect(none.rows).to.deep.equal([]);
  });

  it('gives rows in the order of their keys', async () => {
    const { rows } = await world.report('--by', 'app,placement');
    const keys = rows.map((row) => `${row.app!}/${row.placement!}`);
    expect(keys).to.deep.equal([...keys].sort());
  });
});

describe('the report of suspicious events', () => {
  world.use();

  it('refuses a rule that does not exist, with those that do', async () => {
    const { status, stdout, stderr } = await world.placard('fraud', 'events', '--rule', 'no_such_rule');
    expect([status, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.match(/^placard: There is no fraud rule no_such_rule\. Choose from .*click_delay/);
  });
});
