import { AdFormat, CapPeriod } from '@placard/protos/catalog/v1/catalog.js';
import type { ExplainedRequest, FunnelHour } from '@placard/protos/explain/v1/explain.js';
import { HOUR_MS, SELECTION_STEPS } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { openTestConsole, type TestConsole } from '../support/console.js';
import { AS_OF_MS } from '../support/fake-events.js';
import { runCommand } from '../support/run-command.js';

const REQUEST_ID = `req_${'0a'.repeat(16)}`;
const RANGE = ['--from', '2026-11-10', '--to', '2026-11-10'];
const HOUR = BigInt(AS_OF_MS / HOUR_MS);

const hour = (at: bigint, changes: Partial<FunnelHour>): FunnelHour => ({
  hour: at,
  losses: [],
  fills: 0n,
  impressions: 0n,
  clicks: 0n,
  ...changes,
});
const loss = (step: string, requests: bigint, rival = '') => ({
  step,
  rival,
  requests,
  samples: requests / 100n,
});

const HOURS: readonly FunnelHour[] = [
  hour(HOUR, {
    losses: [loss('country', 800n), loss('outbid', 100n, 'cmp_b')],
    fills: 40n,
    impressions: 30n,
  }),
  hour(HOUR + 1n, { losses: [loss('outbid', 300n, 'cmp_c')], fills: 10n, clicks: 2n }),
];

const EXPLAINED: ExplainedRequest = {
  requestId: REQUEST_ID,
  atMs: BigInt(AS_OF_MS),
  appId: 'app_puzzle',
  placement: 'home_banner',
  format: AdFormat.BANNER,
  result: 'fill',
  winner: 'cmp_b',
  candidates: [
    {
      campaignId: 'cmp_b',
      lostAt: '',
      why: 'It won.',
      costNanos: 3_000_000n,
      budgetTotalNanos: 5_000_000_000n,
      budgetDailyNanos: undefined,
      cap: { count: 3, period: CapPeriod.DAY },
      capUsed: 1,
      budgetTotalLeftNanos: 4_500_000_000n,
      budgetDailyLeftNanos: undefined,
    },
    {
      campaignId: 'cmp_probe',
      lostAt: 'language',
      why: 'The language is de; the campaign wants pt.',
      costNanos: 2_500_000n,
      budgetTotalNanos: undefined,
      budgetDailyNanos: 2_000_000_000n,
      cap: undefined,
      capUsed: undefined,
      budgetTotalLeftNanos: undefined,
      budgetDailyLeftNanos: undefined,
    },
  ],
  candidateCount: 3,
};

describe('placard explain', () => {
  let instance: TestConsole;
  before(async () => {
    instance = await openTestConsole();
  });
  after(() => instance.close());
  beforeEach(() => {
    instance.events.explain.hours = [...HOURS];
    instance.events.explain.explained = EXPLAINED;
  });

  it('gives placard trace the answer of a request that has no event', async () => {
    const trace = () =>
      runCommand(['trace', REQUEST_ID, '--json', '--logs', '/dev/null'], instance.commandEnv);
    const { status, out } = await trace();
    expect(status).to.equal(0);
    expect(out).not.to.include('0.003');
    expect((JSON.parse(out) as { readonly steps: readonly unknown[] }).steps).to.deep.include({
      at: new Date(AS_OF_MS).toISOString(),
      step: 'answered',
      details: { app: 'app_puzzle', placement: 'home_banner', result: 'fill', winner: 'cmp_b' },
    });
    instance.events.explain.explained = null;
    expect((await trace()).err).to.include(`nothing is stored of ${REQUEST_ID}`);
  });

  const run = (...args: readonly string[]) => runCommand(['explain', ...args], instance.commandEnv);
  const json = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
    const { out, err, status } = await run(...args, '--format', 'json');
    expect([status, err]).to.deep.equal([0, '']);
    return JSON.parse(out) as Record<string, unknown>;
  };

  it('campaign adds up the steps of a range, and the campaigns that outbid it', async () => {
    const { steps, ...explained } = await json('campaign', 'cmp_probe', ...RANGE);
    expect(explained).to.deep.equal({
      campaign: 'cmp_probe',
      as_of: '2026-11-10T12:00:00.000Z',
      from: '2026-11-10T00:00:00.000Z',
      to: '2026-11-11T00:00:00.000Z',
      sampled: 0.01,
      candidates: 1_250,
      fills: 50,
      impressions: 30,
      clicks: 2,
      outbid_by: [
        { campaign: 'cmp_c', count: 300 },
        { campaign: 'cmp_b', count: 100 },
      ],
    });
    expect((steps as { step: string }[]).map(({ step }) => step)).to.deep.equal([...SELECTION_STEPS]);
    const asked = instance.events.explain.funnels.at(-1);
    expect(asked).to.include({ campaignId: 'cmp_probe', fromMs: BigInt(Date.UTC(2026, 10, 10)) });
  });

  it('campaign shows each hour with --by hour', async () => {
    const { hours } = await json('campaign', 'cmp_probe', ...RANGE, '--by', 'hour');
    const shown = (hours as { hour: string; candidates: number }[]).map((one) => [one.hour, one.candidates]);
    expect(shown).to.deep.equal([
      ['2026-11-10T12:00:00.000Z', 940],
      ['2026-11-10T13:00:00.000Z', 310],
    ]);
  });

  it('campaign prints the steps with a lost request, and every step as CSV', async () => {
    expect((await run('campaign', 'cmp_probe', ...RANGE)).out).to.equal(
      [
        '2026-11-10T00:00:00.000Z to 2026-11-11T00:00:00.000Z, as of 2026-11-10T12:00:00.000Z; 1 % of the lost requests were judged',
        'step         requests             outbid by',
        'country           800',
        'outbid            400  cmp_c 300, cmp_b 100',
        'candidates       1250',
        'fills              50',
        'impressions        30',
        'clicks              2',
        '',
      ].join('\n'),
    );
    const lines = (await run('campaign', 'cmp_probe', ...RANGE, '--format', 'csv')).out.split('\r\n');
    expect(lines[0]).to.equal('campaign,from,to,hour,step,requests,sampled,outbid_by');
    const range = 'cmp_probe,2026-11-10T00:00:00.000Z,2026-11-11T00:00:00.000Z';
    expect(lines).to.include(`${range},,country,800,0.01,`);
    expect(lines).to.include(`${range},,outbid,400,0.01,"cmp_c 300, cmp_b 100"`);
    expect(lines.length).to.equal(1 + SELECTION_STEPS.length + 4 + 1);
  });

  it('campaign prints the judged share with at most four digits', async () => {
    const losses = [{ step: 'country', rival: '', requests: 10_000n, samples: 114n }];
    instance.events.explain.hours = [hour(HOUR, { losses })];
    expect((await run('campaign', 'cmp_probe', ...RANGE)).out).to.contain('; 1.14 % of the lost requests');
  });

  it('campaign refuses an unknown campaign and a range that cannot be read', async () => {
    instance.events.explain.hours = [];
    const { status, err } = await run('campaign', 'cmp_none');
    expect([status, err]).to.deep.equal([1, 'placard: There is no campaign cmp_none.\n']);
    expect((await run('campaign', 'cmp_probe', '--from', 'soon')).err).to.match(
      /^placard: --from soon is not a date/,
    );
  });

  it('request shows each campaign with its step, price, cap and budgets', async () => {
    expect(await json('request', REQUEST_ID)).to.deep.equal({
      request_id: REQUEST_ID,
      at: '2026-11-10T12:00:00.000Z',
      app: 'app_puzzle',
      placement: 'home_banner',
      result: 'fill',
      winner: 'cmp_b',
      currency: 'USD',
      candidates: [
        {
          campaign: 'cmp_b',
          lost_at: null,
          why: 'It won.',
          price: '0.003000000',
          cap: { count: 3, period: 'day', used: 1 },
          budget_total: '5.000000000',
          budget_total_left: '4.500000000',
          budget_daily: null,
          budget_daily_left: null,
        },
        {
          campaign: 'cmp_probe',
          lost_at: 'language',
          why: 'The language is de; the campaign wants pt.',
          price: '0.002500000',
          cap: null,
          budget_total: null,
          budget_total_left: null,
          budget_daily: '2.000000000',
          budget_daily_left: null,
        },
      ],
      candidate_count: 3,
    });
  });

  it('request prints each campaign with its cap and budgets, also as CSV', async () => {
    expect((await run('request', REQUEST_ID)).out).to.equal(
      [
        '2026-11-10T12:00:00.000Z, app_puzzle home_banner: fill, won by cmp_b; amounts in USD',
        'campaign   price        lost at   cap      total budget             daily budget   why',
        'cmp_b      0.003000000  -         1/3 day  4.500000000/5.000000000  -              It won.',
        'cmp_probe  0.002500000  language  -        -                        -/2.000000000  The language is de; the campaign wants pt.',
        '1 more campaign lost earlier or with a lower bid.',
        '',
      ].join('\n'),
    );
    const csv = (await run('request', REQUEST_ID, '--format', 'csv')).out.split('\r\n');
    expect(csv).to.deep.equal([
      'request_id,at,result,winner,campaign,lost_at,why,price,currency,app,placement,cap_used,cap_count,cap_period,budget_total_left,budget_total,budget_daily_left,budget_daily',
      `${REQUEST_ID},2026-11-10T12:00:00.000Z,fill,cmp_b,cmp_b,,It won.,0.003000000,USD,app_puzzle,home_banner,1,3,day,4.500000000,5.000000000,,`,
      `${REQUEST_ID},2026-11-10T12:00:00.000Z,fill,cmp_b,cmp_probe,language,The language is de; the campaign wants pt.,0.002500000,USD,app_puzzle,home_banner,,,,,,,2.000000000`,
      '',
    ]);
  });

  it('request exits 1 when no explanation is kept', async () => {
    instance.events.explain.explained = null;
    const { status, err } = await run('request', REQUEST_ID);
    expect(status).to.equal(1);
    expect(err, 'nothing is there to correct').not.to.contain('Correct it');
  });

  it('try refuses what an ad request cannot have, with each field, its value and what is allowed', async () => {
    const place = ['--app', 'app_puzzle', '--placement', 'home_banner'];
    const phone = ['--country', 'ZZ', '--android-version', 'Tiramisu', '--screen', '99999x1'];
    const { status, err } = await run('try', ...place, ...phone);
    expect(status).to.equal(1);
    expect(err).to.match(/country ZZ is not a country of ISO 3166-1/);
    expect(err).to.match(/android_version Tiramisu must begin with a whole number/);
    expect(err).to.match(/screen 99999x1 must be a width and a height of 0 to 20000 pixels/);
    expect(instance.events.explain.tried).to.deep.equal([]);
  });

  it('try sends what describes the phone', async () => {
    instance.events.explain.explained = { ...EXPLAINED, requestId: '' };
    const phone = ['--country', 'AT', '--language', 'de', '--android-version', '14', '--screen', '1080x2400'];
    const tried = await json('try', '--app', 'app_puzzle', '--placement', 'home_banner', ...phone);
    expect(tried['request_id']).to.equal(null);
    expect(instance.events.explain.tried.at(-1)).to.deep.equal({
      appId: 'app_puzzle',
      placement: 'home_banner',
      country: 'AT',
      language: 'de',
      androidVersion: '14',
      screenWidth: 1_080,
      screenHeight: 2_400,
    });
  });
});
