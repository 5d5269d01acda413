import { expect } from 'chai';
import { creative, freshAppKey, freshWord } from '../driver/catalog.js';
import type { CatalogEntry } from '../driver/catalog.js';
import { runPlacard } from '../driver/placard.js';
import { World } from '../driver/world.js';

const world = new World('plain');
const { app, campaign } = world.pair({ budget_total: 100, budget_daily: 10 });

/** Parts of a file with fresh ids. Without a fault the file could be applied. */
function fresh(): { publisher: Record<string, unknown>; advertiser: Record<string, unknown>; parts: Parts } {
  const word = freshWord();
  const placement = { code: 'home_banner', format: 'banner' };
  const one = { ...creative(`cr_${word}`, 'banner') };
  const appEntry = {
    id: `app_${word}`,
    app_key: freshAppKey(),
    package_name: 'com.example',
    name: 'App',
    placements: [placement],
  };
  const campaignEntry = { id: `cmp_${word}`, name: 'Campaign', bid_cpm: 1, creatives: [one] };
  const publisher = { id: `pub_${word}`, name: 'P', revenue_share: 0.5, apps: [appEntry] };
  const advertiser = { id: `adv_${word}`, name: 'A', campaigns: [campaignEntry] };
  return {
    publisher,
    advertiser,
    parts: { placement, creative: one, app: appEntry, campaign: campaignEntry },
  };
}

type Entry = Record<string, unknown>;
interface Parts {
  placement: Entry;
  creative: Entry;
  app: Entry;
  campaign: Entry;
}
type Made = ReturnType<typeof fresh>;

/** Path of a fault, and the change that makes it. */
const FAULTS: readonly (readonly [path: string, make: (made: Made) => void])[] = [
  ['publishers[0].id', ({ publisher }) => (publisher['id'] = 'Pub Sunrise')],
  ['publishers[0].id', ({ publisher }) => (publisher['id'] = 'p')],
  ['publishers[0].name', ({ publisher }) => delete publisher['name']],
  ['publishers[0].revenue_share', ({ publisher }) => delete publisher['revenue_share']],
  ['publishers[0].revenue_share', ({ publisher }) => (publisher['revenue_share'] = 1.1)],
  ['publishers[0].revenue_share', ({ publisher }) => (publisher['revenue_share'] = -0.1)],
  ['publishers[0].revenue_share', ({ publisher }) => (publisher['revenue_share'] = 0.12345)],
  ['publishers[0].approved', ({ publisher }) => (publisher['approved'] = 'yes')],
  ['publishers[0]', ({ publisher }) => (publisher['colour'] = 'red')],
  ['publishers[0].apps[0].app_key', ({ parts }) => (parts.app['app_key'] = 'app_short')],
  ['publishers[0].apps[0].app_key', ({ parts }) => delete parts.app['app_key']],
  ['publishers[0].apps[0].package_name', ({ parts }) => delete parts.app['package_name']],
  ['publishers[0].apps[0].request_timeout_ms', ({ parts }) => (parts.app['request_timeout_ms'] = 99)],
  ['publishers[0].apps[0].request_timeout_ms', ({ parts }) => (parts.app['request_timeout_ms'] = 5001)],
  ['publishers[0].apps[0].placements[0].code', ({ parts }) => (parts.placement['code'] = 'Home Banner')],
  ['publishers[0].apps[0].placements[0].code', ({ parts }) => (parts.placement['code'] = 'x')],
  ['publishers[0].apps[0].placements[0].code', ({ parts }) => (parts.placement['code'] = 'x'.repeat(65))],
  ['publishers[0].apps[0].placements[0].format', ({ parts }) => (parts.placement['format'] = 'native')],
  [
    'publishers[0].apps[0].placements[0].fallback_provider',
    ({ parts }) => (parts.placement['fallback_provider'] = 'other'),
  ],
  [
    'publishers[0].apps[0].placements[0].banner_refresh_seconds',
    ({ parts }) => (parts.placement['banner_refresh_seconds'] = 29),
  ],
  [
    'publishers[0].apps[0].placements[0].request_timeout_ms',
    ({ parts }) => (parts.placement['request_timeout_ms'] = 5001),
  ],
  [
    'publishers[0].apps[0].placements[0].frequency_cap',
    ({ parts }) => (parts.placement['frequency_cap'] = { count: 1, period: 'week' }),
  ],
  [
    'publishers[0].apps[0].placements[0].frequency_cap',
    ({ parts }) => (parts.placement['frequency_cap'] = { count: 0, period: 'day' }),
  ],
  ['advertisers[0].balance', ({ advertiser }) => (advertiser['balance'] = -1)],
  ['advertisers[0].balance', ({ advertiser }) => (advertiser['balance'] = '0.0000000001')],
  ['advertisers[0].balance', ({ advertiser }) => (advertiser['balance'] = 1_000_000_001)],
  ['advertisers[0].campaigns[0].id', ({ parts }) => (parts.campaign['id'] = 'spring')],
  ['advertisers[0].campaigns[0].bid_cpm', ({ parts }) => (parts.campaign['bid_cpm'] = 0)],
  ['advertisers[0].campaigns[0].bid_cpm', ({ parts }) => (parts.campaign['bid_cpm'] = -1)],
  ['advertisers[0].campaigns[0].bid_cpm', ({ parts }) => (parts.campaign['bid_cpm'] = '0.0000001')],
  ['advertisers[0].campaigns[0].bid_cpm', ({ parts }) => (parts.campaign['bid_cpm'] = 10_000.5)],
  ['advertisers[0].campaigns[0].budget_total', ({ parts }) => (parts.campaign['budget_total'] = 0)],
  ['advertisers[0].campaigns[0].budget_daily', ({ parts }) => (parts.campaign['budget_daily'] = -2)],
  [
    'advertisers[0].campaigns[0].starts_at',
    ({ parts }) => (parts.campaign['starts_at'] = '2026-01-01T00:00:00'),
  ],
  ['advertisers[0].campaigns[0].ends_at', ({ parts }) => (parts.campaign['ends_at'] = 'soon')],
  ['advertisers[0].campaigns[0].status', ({ parts }) => (parts.campaign['status'] = 'asleep')],
  ['advertisers[0].campaigns[0].pacing', ({ parts }) => (parts.campaign['pacing'] = 'fast')],
  ['advertisers[0].campaigns[0].countries', ({ parts }) => (parts.campaign['countries'] = ['Germany'])],
  [
    'advertisers[0].campaigns[0].targeting',
    ({ parts }) => (parts.campaign['targeting'] = { formats: ['x'] }),
  ],
  ['advertisers[0].campaigns[0].targeting', ({ parts }) => (parts.campaign['targeting'] = { planets: [] })],
  ['advertisers[0].campaigns[0].creatives[0].id', ({ parts }) => (parts.creative['id'] = 'spring')],
  ['advertisers[0].campaigns[0].creatives[0].url', ({ parts }) => (parts.creative['url'] = 'not a url')],
  ['advertisers[0].campaigns[0].creatives[0].click_url', ({ parts }) => delete parts.creative['click_url']],
  ['advertisers[0].campaigns[0].creatives[0].type', ({ parts }) => (parts.creative['type'] = 'audio')],
];

/** Runs `catalog validate` on a text, which needs no instance. */
function validate(text: string) {
  return world.withFile(text, (name) => runPlacard(null, ['catalog', 'validate', name]));
}

describe('a catalog file with a fault', () => {
  world.use();

  it('is refused with all faults named, each with its path in the file', async () => {
    const made = FAULTS.map(([path, spoil]) => {
      const one = fresh();
      spoil(one);
      return { path, one };
    });
    const file = {
      publishers: made.map(({ one }) => one.publisher),
      advertisers: made.map(({ one }) => one.advertiser),
    };
    const result = await world.applyFile(file);
    expect(result.status).to.equal(1);
    const missing = made.flatMap(({ path }, index) => {
      const expected = path.replace(/^(publishers|advertisers)\[0\]/, `$1[${index}]`);
      return result.stderr.includes(expected) ? [] : [expected];
    });
    expect(missing, result.stderr).to.deep.equal([]);
  });

  it('changes nothing, even when the rest of it is right', async () => {
    const good = fresh();
    const bad = fresh();
    bad.parts.campaign['bid_cpm'] = 0;
    const file = { publishers: [good.publisher], advertisers: [good.advertiser, bad.advertiser] };
    expect((await world.applyFile(file)).status).to.equal(1);
    const exported = await world.placard('catalog', 'export');
    expect(exported.stdout).to.not.contain(String(good.publisher['id']));
  });

  const texts: readonly (readonly [name: string, text: string])[] = [
    ['an unknown section', 'colours: []'],
    ['broken YAML', 'publishers: [{'],
    ['a list', '- 1'],
    ['a text', 'hello'],
    ['the same key twice', 'global: { serving_enabled: true }\nglobal: { serving_enabled: false }'],
    ['a switch that YAML 1.1 would read as false', 'global: { serving_enabled: no }'],
    [
      'a number of more than 15 significant digits',
      'advertisers: [{ id: adv_digits, name: A, balance: 123456.7890123456, campaigns: [] }]',
    ],
    [
      'starts_at not before ends_at',
      JSON.stringify({
        advertisers: [
          {
            id: 'adv_dates',
            name: 'A',
            campaigns: [
              {
                id: 'cmp_dates',
                name: 'C',
                bid_cpm: 1,
                starts_at: '2026-01-01T00:00:00Z',
                ends_at: '2026-01-01T00:00:00Z',
                creatives: [],
              },
            ],
          },
        ],
      }),
    ],
  ];
  for (const [name, text] of texts) {
    it(`is refused: ${name}`, async () => {
      const result = await validate(text);
      expect(result.status, result.stdout).to.equal(1);
      expect(result.stderr).to.not.equal('');
      expect(result.stderr).to.not.match(/\n\s+at /);
    });
  }

  it('is refused when it repeats an id or an app key', async () => {
    const one = fresh();
    const twice = await validate(JSON.stringify({ publishers: [one.publisher, one.publisher] }));
    expect(twice.status).to.equal(1);
    const other = fresh();
    other.parts.app['app_key'] = one.parts.app['app_key'];
    const sameKey = await validate(JSON.stringify({ publishers: [one.publisher, other.publisher] }));
    expect(sameKey.status).to.equal(1);
    expect(sameKey.stderr).to.contain('app_key');
  });
});

describe('a catalog file compared with the stored catalog', () => {
  world.use();

  it('is refused when an object moves to another parent, takes an existing app key, or changes its format', async () => {
    const made = fresh();
    const advertisers = [{ ...made.advertiser, campaigns: [{ ...campaign }] }];
    expect((await world.applyFile({ advertisers })).status).to.equal(1);
    const publishers = [{ ...made.publisher, apps: [{ ...app }] }];
    expect((await world.applyFile({ publishers })).status).to.equal(1);
    const other = fresh();
    other.parts.app['app_key'] = app.app_key;
    expect((await world.applyFile({ publishers: [other.publisher] })).status).to.equal(1);
    const owner = world.file().publishers!.find((one) => one.apps.includes(app))!;
    const changed = { ...app, placements: [{ code: 'home_banner', format: 'interstitial' }] };
    expect((await world.applyFile({ publishers: [{ ...owner, apps: [changed] }] })).status).to.equal(1);
    expect((await (await world.phone(app)).request('banner')).body.status).to.equal('fill');
  });

  it('exits 0 with or without changes, and prints the changes', async () => {
    expect((await world.applyFile(world.file())).status).to.equal(0);
    const made = fresh();
    const result = await world.applyFile({ publishers: [made.publisher] });
    expect(result.status, result.stderr).to.equal(0);
    expect(result.stdout).to.contain(String(made.parts.app['id']));
  });

  it('keeps omitted fields, clears fields that are null, and treats each list of the targeting separately', async () => {
    const made = fresh();
    Object.assign(made.parts.campaign, {
      budget_total: 5,
      budget_daily: 1,
      countries: ['DE'],
      targeting: { languages: ['de'], android_versions: [14] },
      frequency_cap: { count: 2, period: 'day' },
    });
    expect((await world.applyFile({ advertisers: [made.advertiser] })).status).to.equal(0);
    const id = made.parts.campaign['id'];
    const patch = { id, name: 'Renamed', budget_daily: null, targeting: { languages: [] } };
    const advertisers = [{ id: made.advertiser['id'], name: 'A', campaigns: [patch] }];
    const result = await world.applyFile({ advertisers });
    expect(result.status, result.stderr).to.equal(0);
    const kept = { ...made.parts.campaign, ...patch, targeting: { languages: [], android_versions: [14] } };
    const same = await world.applyFile({ advertisers: [{ ...made.advertiser, campaigns: [kept] }] });
    expect(same.status, same.stderr).to.equal(0);
    expect(same.stdout, 'nothing is left to change').to.not.contain(String(id));
  });

  it('removes nothing without --prune', async () => {
    const made = fresh();
    expect((await world.applyFile({ publishers: [made.publisher] })).status).to.equal(0);
    const bare = { ...made.publisher, apps: [] };
    expect((await world.applyFile({ publishers: [bare] })).status).to.equal(0);
    expect((await world.placard('catalog', 'export')).stdout).to.contain(String(made.parts.app['id']));
  });

  it('reads countries such as NO as texts, by YAML 1.2', async () => {
    const made = fresh();
    const id = String(made.advertiser['id']);
    const text = [
      'advertisers:',
      `  - id: ${id}`,
      '    name: Norse',
      '    campaigns:',
      `      - { id: ${String(made.parts.campaign['id'])}, name: N, bid_cpm: 1, countries: [NO, SE], creatives: [] }`,
    ].join('\n');
    const result = await world.withFile(text, (name) => world.placard('catalog', 'apply', name));
    expect(result.status, result.stderr).to.equal(0);
  });
});

describe('placard catalog export', () => {
  world.use();

  it('prints a file that apply accepts without a change', async () => {
    const exported = await world.placard('catalog', 'export');
    expect(exported.status).to.equal(0);
    expect(exported.stdout).to.contain(app.app_key).and.to.contain(campaign.id);
    const again = await world.withFile(exported.stdout, (name) => world.placard('catalog', 'apply', name));
    expect(again.status, again.stderr).to.equal(0);
    expect((await world.placard('catalog', 'export')).stdout).to.equal(exported.stdout);
  });

  it('writes the first opening balance, which is credited once', async () => {
    const made = fresh();
    made.advertiser['balance'] = '12.5';
    const file: CatalogEntry = { advertisers: [made.advertiser as never] };
    for (let again = 0; again < 2; again += 1) expect((await world.applyFile(file)).status).to.equal(0);
    await world.settle();
    const balance = (await world.balances()).get(`advertiser/${String(made.advertiser['id'])}`);
    expect(balance).to.equal(12_500_000_000n);
    const second = await world.placard(
      'advertiser',
      'deposit',
      String(made.advertiser['id']),
      '12.5',
      '--reference',
      `opening:${String(made.advertiser['id'])}`,
    );
    expect(second.status, second.stderr).to.equal(0);
    expect((await world.balances()).get(`advertiser/${String(made.advertiser['id'])}`)).to.equal(
      12_500_000_000n,
    );
  });
});
