import { ReportKey, type ReportRow } from '@placard/protos/events/v1/events.js';
import { SuspiciousKey } from '@placard/protos/fraud/v1/fraud.js';
import { expect } from 'chai';
import { EXAMPLE } from '../support/catalog-text.js';
import { openTestConsole, type TestConsole } from '../support/console.js';
import { AS_OF_MS } from '../support/fake-events.js';
import { runCommand } from '../support/run-command.js';

const DAY_MS = 86_400_000;
const TODAY_MS = Math.floor(AS_OF_MS / DAY_MS) * DAY_MS;

describe('the commands report and fraud events', () => {
  let instance: TestConsole;

  before(async () => {
    instance = await openTestConsole();
    await instance.client.applyCatalog({ file: EXAMPLE, prune: false, onlyIfEmpty: false });
  });
  after(() => instance.close());

  const run = (...args: readonly string[]) => runCommand(args, instance.commandEnv);

  it('reports as JSON in the documented shape: null where a split makes no sense, maps without zeros', async () => {
    instance.events.rows = [
      rowOf({ keys: ['2026-11-10', 'pub_a'] }),
      rowOf({ keys: ['2026-11-10', 'pub_b'], hasNoFills: false }),
    ];
    const { status, out } = await run(
      'report',
      '--by',
      'day,publisher',
      '--from',
      '2026-11-09',
      '--to',
      '2026-11-10',
      '--format',
      'json',
    );
    expect(status).to.equal(0);
    const figures = {
      requests: 7,
      fills: 4,
      no_fills: { frequency_capped: 3 },
      impressions: 3,
      clicks: 1,
      rewards: 0,
      fallbacks: null,
      fallbacks_by_reason: null,
      rejected: null,
      errors: null,
      spend: '0.007500000',
      revenue: '0.005250000',
      fill_rate: '0.571429',
      show_rate: '0.750000',
      ctr: '0.333333',
      ecpm: '1.750000000',
    };
    expect(JSON.parse(out)).to.deep.equal({
      as_of: '2026-11-10T12:00:00.000Z',
      from: '2026-11-09T00:00:00.000Z',
      to: '2026-11-11T00:00:00.000Z',
      zone: 'UTC',
      currency: 'USD',
      rows: [
        { day: '2026-11-10', publisher: 'pub_a', names: {}, ...figures },
        { day: '2026-11-10', publisher: 'pub_b', names: {}, ...figures, no_fills: null },
      ],
      total: {
        ...figures,
        requests: 14,
        fills: 8,
        no_fills: null,
        impressions: 6,
        clicks: 2,
        spend: '0.015000000',
        revenue: '0.010500000',
      },
    });
  });

  it('reports as CSV, always with the same columns, and as a table', async () => {
    instance.events.rows = [rowOf({ keys: ['a,b'] })];
    const range = ['--from', '2026-11-09', '--to', '2026-11-10'];
    const csv = await run('report', '--by', 'country', ...range, '--format', 'csv');
    expect(csv.out).to.equal(
      'country,requests,fills,no_fills.no_eligible_campaign,no_fills.serving_disabled,no_fills.placement_disabled,' +
        'no_fills.frequency_capped,no_fills.test_no_fill,no_fills.over_fraud_cap,impressions,clicks,rewards,fallbacks,' +
        'rejected.duplicate,rejected.invalid_token,rejected.expired_token,rejected.request_mismatch,' +
        'rejected.no_impression,rejected.suspicious,spend,revenue,fallbacks_by_reason.no_fill,' +
        'fallbacks_by_reason.timeout,fallbacks_by_reason.error,fallbacks_by_reason.creative_failed,' +
        'errors.401.invalid_app_key,errors.401.invalid_session,errors.401.session_expired,' +
        'errors.403.package_mismatch,errors.403.app_not_approved,errors.404.placement_not_found,' +
        'errors.422.format_mismatch,errors.422.validation_failed,errors.429.rate_limited,' +
        'fill_rate,show_rate,ctr,ecpm,from,to,zone,currency\r\n' +
        '"a,b",7,4,0,0,0,3,0,0,3,1,0,,,,,,,,0.007500000,0.005250000,,,,,,,,,,,,,,0.571429,0.750000,0.333333,1.750000000,' +
        '2026-11-09T00:00:00.000Z,2026-11-11T00:00:00.000Z,UTC,USD\r\n',
    );
    expect((await run('report', '--by', 'country')).out).to.match(
      /\ncountry +requests +fills +fill_rate +no_fills +no_fills\.frequency_capped +impressions .*spend USD +revenue USD +ecpm USD\na,b +7 +4 +0\.571429 +3 +3 +3 .*\ntotal +7 +4 /,
    );
  });

  it('passes filters, days of a zone and a comparison on, and shows both ranges', async () => {
    instance.events.rows = [rowOf({ keys: ['2026-10-25'] })];
    const options =
      '--by day --from 2026-10-25 --to 2026-10-25 --zone europe/vienna --compare --app app_sunrise_puzzle';
    const { out } = await run(
      'report',
      ...options.split(' '),
      '--format-of-ad',
      'banner',
      '--country',
      'AT,unknown',
    );
    expect(out).to.match(
      /^2026-10-24T22:00:00.000Z to 2026-10-25T23:00:00.000Z, days of Europe\/Vienna, as of /,
    );
    expect(out).to.match(/ecpm USD +before: requests .*before: ecpm USD\n2026-10-25 .*\n.*total/s);
    const [now, before] = instance.events.reports.slice(-2);
    expect(now).to.deep.include({
      fromMs: BigInt(Date.UTC(2026, 9, 24, 22)),
      toMs: BigInt(Date.UTC(2026, 9, 25, 23)),
      days: [{ name: '2026-10-25', fromMs: BigInt(Date.UTC(2026, 9, 24, 22)) }],
      filters: [
        { key: ReportKey.APP, values: ['app_sunrise_puzzle'] },
        { key: ReportKey.FORMAT, values: ['banner'] },
        { key: ReportKey.COUNTRY, values: ['AT', ''] },
      ],
    });
    expect(before?.fromMs).to.equal(BigInt(Date.UTC(2026, 9, 23, 22)));
  });

  it('refuses a wrong zone, filter or comparison with one line that says what is allowed', async () => {
    for (const [options, wanted] of [
      ['--zone Europe/Wien', /no time zone Europe\/Wien\. Name one of the IANA database/],
      ['--zone Asia/Kolkata', /hours of UTC, and \S+ in Asia\/\S+ begins at \S+T18:30:00.000Z/],
      ['--country Austria', /country/],
      ['--format-of-ad video', /format/],
      ['--placement home_baner', /ever had the placement home_baner\. Name the code of one/],
      ['--app app_sunrise_puzzle --placement home_banner,main', /ever had the placement main\./],
      ['--by day --compare --from 2026-11-09T18:00:00Z --to 2026-11-09T20:00:00Z', /whole days only/],
    ] as const) {
      const { status, err } = await run('report', ...options.split(' '));
      expect(status, options).to.equal(1);
      expect(err, options)
        .to.match(/^placard: [^\n]+\n$/)
        .and.to.match(wanted);
    }
  });

  it('shows suspicious events by rule, app, placement and session', async () => {
    const at = BigInt(TODAY_MS);
    const keys = ['click_delay', 'app_a', 'home', 'ses_1'];
    const row = { keys, events: undefined, entries: 3n, firstAtMs: at, lastAtMs: at + 1_000n };
    instance.events.suspicious = { rows: [row], rowsLeftOut: 2n };
    const range = ['--from', '2026-11-10', '--to', '2026-11-10'];
    expect((await run('fraud', 'events', ...range, '--rule', 'click_delay')).out).to.match(
      /^2026-11-10T00:00:00.000Z to 2026-11-11T00:00:00.000Z\nrule +app +placement +session +events .*\nclick_delay +app_a +home +ses_1 +- +3 .*\n… and 2 rows with fewer events\.\n$/,
    );
    expect(instance.events.suspiciousQueries.at(-1)).to.deep.equal({
      by: [SuspiciousKey.RULE, SuspiciousKey.APP, SuspiciousKey.PLACEMENT, SuspiciousKey.SESSION],
      fromMs: at,
      toMs: at + BigInt(DAY_MS),
      rule: 'click_delay',
      appId: undefined,
    });
    instance.events.suspicious = { rows: [{ ...row, keys: ['app_a'], events: 9n }], rowsLeftOut: 0n };
    const csv = await run('fraud', 'events', '--by', 'app', ...range, '--format', 'csv');
    expect(csv.out).to.equal(
      'app,events,entries,first_at,last_at,from,to\r\n' +
        'app_a,9,3,2026-11-10T00:00:00.000Z,2026-11-10T00:00:01.000Z,2026-11-10T00:00:00.000Z,2026-11-11T00:00:00.000Z\r\n',
    );
    const json = await run('fraud', 'events', '--by', 'app', ...range, '--format', 'json');
    expect(JSON.parse(json.out)).to.deep.include({ rows_left_out: 0, next_cursor: null });
    expect(await run('fraud', 'events', '--app', 'app_typo')).to.deep.equal({
      status: 1,
      out: '',
      err: 'placard: The report of suspicious events is refused: the catalog never had app app_typo. Correct it and try again.\n',
    });
    expect(await run('fraud', 'events', '--app', 'app_sunrise_puzzle')).to.include({ status: 0 });
    expect((await run('fraud', 'events', '--by', 'device')).err).to.match(
      /Choose from rule, app, placement, session/,
    );
  });

  it('shows an unknown country as `unknown`, in each format', async () => {
    instance.events.rows = [rowOf({ keys: [''] }), rowOf({ keys: ['SE'] })];
    const { out } = await run('report', '--by', 'country', '--format', 'json');
    const { rows } = JSON.parse(out) as { readonly rows: readonly { readonly country: string }[] };
    expect(rows.map(({ country }) => country)).to.deep.equal(['unknown', 'SE']);
    for (const format of ['csv', 'table'])
      expect((await run('report', '--by', 'country', '--format', format)).out, format).to.match(
        /\nunknown[ ,][^\n]*\nSE[ ,]/,
      );
  });

  it('reads days as a range that includes both, and instants as a half-open range', async () => {
    const rangeOf = async (...args: readonly string[]) => {
      await run('report', ...args);
      const asked = instance.events.reports.at(-1);
      return [Number(asked?.fromMs), Number(asked?.toMs)];
    };
    expect(await rangeOf('--from', '2026-11-10', '--to', '2026-11-10')).to.deep.equal([
      TODAY_MS,
      TODAY_MS + DAY_MS,
    ]);
    expect(
      await rangeOf('--from', '2026-11-10T01:00:00Z', '--to', '2026-11-10T04:00:00+01:00'),
    ).to.deep.equal([TODAY_MS + 3_600_000, TODAY_MS + 3 * 3_600_000]);
  });

  it('reports from 1970 to 9999, and accepts the instants that Python writes', async () => {
    for (const [args, from, to] of [
      [
        ['--from', '1970-01-01', '--to', '1970-01-01'],
        '1970-01-01T00:00:00.000Z',
        '1970-01-02T00:00:00.000Z',
      ],
      [
        ['--from', '9999-12-31', '--to', '9999-12-31'],
        '9999-12-31T00:00:00.000Z',
        '9999-12-31T23:59:59.999Z',
      ],
      [['--to', '9999-12-31'], '9999-12-25T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
      [
        ['--from', '1970-01-01', '--to', '9999-12-31'],
        '1970-01-01T00:00:00.000Z',
        '9999-12-31T23:59:59.999Z',
      ],
      [
        ['--from', '2026-11-09T00:00:00.123456+00:00', '--to', '2026-11-10T01:00:00.000000+01:00'],
        '2026-11-09T00:00:00.000Z',
        '2026-11-10T00:00:00.000Z',
      ],
      [
        ['--from', '9999-12-31T23:59:59.999998Z', '--to', '9999-12-31'],
        '9999-12-31T23:00:00.000Z',
        '9999-12-31T23:59:59.999Z',
      ],
    ] as const) {
      const { status, out, err } = await run('report', ...args, '--format', 'json');
      expect({ status, err }, args.join(' ')).to.deep.equal({ status: 0, err: '' });
      expect(JSON.parse(out), args.join(' ')).to.include({ from, to });
    }
    for (const args of [
      ['--from', '0001-01-01'],
      ['--to', '1969-12-31'],
      ['--from', '10000-01-01T00:00:00Z'],
      ['--to', '+010000-01-01'],
      ['--from', '9999-12-31'],
      ['--to', '1970-01-01T00:00:00Z'],
    ]) {
      const { status, err } = await run('report', ...args);
      expect(status, args.join(' ')).to.equal(1);
      expect(err, args.join(' '))
        .to.match(/^placard: [^\n]+\n$/)
        .and.to.not.contain('went wrong');
    }
  });

  it('shows a row with zeros for what never filled, by advertiser, campaign and creative', async () => {
    instance.events.rows = [rowOf({ keys: ['cmp_removed'] })];
    const shown = async (...args: readonly string[]): Promise<readonly Shown[]> =>
      (
        JSON.parse((await run('report', ...args, '--format', 'json')).out) as {
          readonly rows: readonly Shown[];
        }
      ).rows;
    expect(
      (await shown('--by', 'campaign')).map(({ campaign, names, fills }) => [campaign, names, fills]),
    ).to.eql([
      ['cmp_removed', {}, 4],
      ['cmp_spring', { campaign: 'Spring sale' }, 0],
    ]);
    instance.events.rows = [];
    const nested = await shown('--by', 'creative,advertiser');
    expect(nested.map(({ creative, advertiser, names }) => [creative, advertiser, names])).to.eql([
      ['cr_spring_banner', 'adv_northwind', { advertiser: 'Northwind' }],
    ]);
    expect((await shown('--by', 'advertiser')).map(({ advertiser }) => advertiser)).to.eql(['adv_northwind']);
    expect(await shown('--by', 'day,campaign')).to.eql([]);
  });

  it('is refused for an advertiser and a campaign that the catalog never had', async () => {
    const known = await run('report', '--campaign', 'cmp_spring', '--advertiser', 'adv_northwind');
    expect(known.status).to.equal(0);
    const { status, err } = await run(
      'report',
      '--campaign',
      'cmp_spring,cmp_nix',
      '--advertiser',
      'adv_nix',
    );
    expect(status).to.equal(1);
    expect(err).to.match(
      /^placard: The report is refused: the catalog never had advertiser adv_nix, campaign cmp_nix\. /,
    );
  });
});

interface Shown {
  readonly advertiser?: string;
  readonly campaign?: string;
  readonly creative?: string;
  readonly names: Readonly<Record<string, string>>;
  readonly fills: number;
}

function rowOf(overrides: Partial<ReportRow>): ReportRow {
  return {
    keys: [],
    requests: 7n,
    fills: 4n,
    hasNoFills: true,
    noFills: { frequency_capped: 3n, test_no_fill: 0n },
    impressions: 3n,
    clicks: 1n,
    rewards: 0n,
    fallbacks: undefined,
    hasRejected: false,
    rejected: {},
    spendNanos: 7_500_000n,
    revenueNanos: 5_250_000n,
    fallbacksByReason: {},
    hasNoEvents: false,
    hasErrors: false,
    errors: {},
    ...overrides,
  };
}
