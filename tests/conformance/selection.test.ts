import { expect } from 'chai';
import { creative, freshWord } from '../driver/catalog.js';
import type { AppEntry } from '../driver/catalog.js';
import { inTurns, pass } from '../driver/phone.js';
import type { PhoneOptions } from '../driver/phone.js';
import { World } from '../driver/world.js';
import type { CampaignOptions } from '../driver/world.js';

const world = new World('plain');

/** The only campaign of an app, one request, and whether the campaign must be served. */
interface Case {
  readonly name: string;
  readonly campaign: CampaignOptions;
  readonly app?: Partial<AppEntry>;
  readonly request?: Record<string, unknown>;
  readonly phone?: PhoneOptions;
  readonly isServed: boolean;
}

function check({ name, campaign, app, request, phone, isServed }: Case): void {
  const pair = world.pair(campaign, app);
  it(`${isServed ? 'serves' : 'skips'} ${name}`, async () => {
    const outcome = await (await world.phone(pair.app, phone)).outcome('interstitial', request);
    expect(outcome).to.equal(isServed ? pair.campaign.id : 'no_eligible_campaign');
  });
}

const instant = (fromNowMs: number): string => new Date(Date.now() + fromNowMs).toISOString();
const HOUR = 3_600_000;

describe('selection: a campaign must be active, in its schedule, funded and approved', () => {
  world.use();

  const unapproved = world.advertiser({ approved: false });
  const poor = world.advertiser({ balance: 0 });
  const short = world.advertiser({ balance: '0.002499999' });
  const exact = world.advertiser({ balance: '0.0025' });
  const one = creative(`cr_${freshWord()}`, 'interstitial', { approved: false });
  const cases: readonly Case[] = [
    { name: 'a campaign that is active by default', campaign: {}, isServed: true },
    { name: 'a paused campaign', campaign: { status: 'paused' }, isServed: false },
    { name: 'an ended campaign', campaign: { status: 'ended' }, isServed: false },
    { name: 'a campaign that starts in an hour', campaign: { starts_at: instant(HOUR) }, isServed: false },
    { name: 'a campaign that ended an hour ago', campaign: { ends_at: instant(-HOUR) }, isServed: false },
    {
      name: 'a campaign inside its schedule',
      campaign: { starts_at: instant(-HOUR), ends_at: instant(HOUR) },
      isServed: true,
    },
    {
      name: 'a campaign of an advertiser that is not approved',
      campaign: { advertiser: unapproved },
      isServed: false,
    },
    { name: 'a campaign of an advertiser without balance', campaign: { advertiser: poor }, isServed: false },
    {
      name: 'a campaign whose advertiser lacks one nano-unit for an impression',
      campaign: { advertiser: short },
      isServed: false,
    },
    {
      name: 'a campaign whose advertiser has exactly one impression left',
      campaign: { advertiser: exact },
      isServed: true,
    },
    {
      name: 'a campaign whose total budget is below one impression',
      campaign: { budget_total: 0.002 },
      isServed: false,
    },
    {
      name: 'a campaign whose daily budget is below one impression',
      campaign: { budget_daily: 0.002 },
      isServed: false,
    },
    {
      name: 'a campaign whose only creative is not approved',
      campaign: { creatives: [one] },
      isServed: false,
    },
    {
      name: 'a campaign that has no creative of the format',
      campaign: { creatives: [creative(`cr_${freshWord()}`, 'banner')] },
      isServed: false,
    },
  ];
  cases.forEach(check);

  const timed = world.pair();
  it('serves from starts_at (included) to ends_at (excluded), in any time zone of the processes', async () => {
    const begin = Date.now() + 3_000;
    timed.campaign.starts_at = new Date(begin).toISOString();
    timed.campaign.ends_at = new Date(begin + 1_500).toISOString();
    await world.apply();
    const phone = await world.phone(timed.app);
    expect(await phone.outcome('banner')).to.equal('no_eligible_campaign');
    await pass(begin + 100 - Date.now());
    expect(await phone.outcome('banner')).to.equal(timed.campaign.id);
    await pass(begin + 1_500 + 100 - Date.now());
    expect(await phone.outcome('banner')).to.equal('no_eligible_campaign');
  });
});

describe('selection: country', () => {
  world.use();

  const german: CampaignOptions = { countries: ['DE', 'AT'] };
  const cases: readonly Case[] = [
    { name: 'a campaign of the country', campaign: german, phone: { country: 'DE' }, isServed: true },
    {
      name: 'a campaign of the country in small letters',
      campaign: german,
      phone: { country: 'at' },
      isServed: true,
    },
    {
      name: 'a campaign of Kosovo, which is not in ISO 3166-1',
      campaign: { countries: ['XK'] },
      phone: { country: 'XK' },
      isServed: true,
    },
    { name: 'a campaign of other countries', campaign: german, phone: { country: 'FR' }, isServed: false },
    { name: 'a campaign with countries when the country is not known', campaign: german, isServed: false },
    {
      name: 'a campaign without countries when the country is not known',
      campaign: { countries: [] },
      isServed: true,
    },
    {
      name: 'a campaign without countries in any country',
      campaign: {},
      phone: { country: 'JP' },
      isServed: true,
    },
    {
      name: 'a campaign of the country that the database has for the address',
      campaign: { countries: ['US'] },
      phone: { address: '8.8.8.8' },
      isServed: true,
    },
    {
      name: 'a campaign of the country in the database when the header names none',
      campaign: { countries: ['US'] },
      phone: { address: '8.8.4.4', country: 'unknown' },
      isServed: true,
    },
    {
      name: 'a campaign of the country of the address when the trusted header names another one',
      campaign: { countries: ['US'] },
      phone: { address: '8.8.8.8', country: 'DE' },
      isServed: false,
    },
    {
      name: 'a campaign of the country of an IPv4-mapped address',
      campaign: { countries: ['US'] },
      phone: { address: '::ffff:8.8.8.8' },
      isServed: true,
    },
  ];
  cases.forEach(check);
});

describe('selection: targeting', () => {
  world.use();

  const portuguese: CampaignOptions = { targeting: { languages: ['pt'] } };
  const cases: readonly Case[] = [
    ...['pt', 'PT', 'pt-BR', 'pt_BR', 'Pt-Latn-BR'].map((language) => ({
      name: `a campaign in Portuguese to language ${language}`,
      campaign: portuguese,
      request: { language },
      isServed: true,
    })),
    ...['en', 'ptx', 'br-pt', 'p'].map((language) => ({
      name: `a campaign in Portuguese to language ${language}`,
      campaign: portuguese,
      request: { language },
      isServed: false,
    })),
    ...[undefined, null, ''].map((language) => ({
      name: `a campaign in the app's language when the request has ${JSON.stringify(language)}`,
      campaign: portuguese,
      app: { language: 'pt' },
      request: { language },
      isServed: true,
    })),
    {
      name: 'a campaign whose language is written with a region and in capitals',
      campaign: { targeting: { languages: ['PT-br'] } },
      request: { language: 'pt-PT' },
      isServed: true,
    },
    {
      name: 'a campaign without languages to any language',
      campaign: {},
      request: { language: 'xx' },
      isServed: true,
    },
    {
      name: 'a campaign for the format',
      campaign: { targeting: { formats: ['interstitial'] } },
      isServed: true,
    },
    {
      name: 'a campaign for other formats',
      campaign: { targeting: { formats: ['banner'] } },
      isServed: false,
    },
    {
      name: 'a campaign for other apps',
      campaign: { targeting: { app_ids: ['app_elsewhere'] } },
      isServed: false,
    },
    {
      name: 'a campaign for the category of the app',
      campaign: { targeting: { app_categories: ['news', 'games'] } },
      app: { category: 'games' },
      isServed: true,
    },
    {
      name: 'a campaign for other categories',
      campaign: { targeting: { app_categories: ['tools'] } },
      app: { category: 'games' },
      isServed: false,
    },
    {
      name: 'a campaign with categories in an app without one',
      campaign: { targeting: { app_categories: ['games'] } },
      isServed: false,
    },
  ];
  cases.forEach(check);
});

describe('selection: Android versions', () => {
  world.use();

  const versions = (request: unknown, target: number, isServed: boolean): Case => ({
    name: `a campaign for Android ${target} to version ${JSON.stringify(request)}`,
    campaign: { targeting: { android_versions: [target] } },
    request: { android_version: request },
    isServed,
  });
  const cases: readonly Case[] = [
    versions('14', 14, true),
    versions('14.0.1', 14, true),
    versions('8.1.0', 8, true),
    versions('014', 14, true),
    versions('14-beta', 14, true),
    versions('14', 1, false),
    versions('1e1', 1, true),
    versions('13', 14, false),
    ...['Tiramisu', '-14', '', '１４', null, undefined].map((version) => versions(version, 14, false)),
  ];
  cases.forEach(check);

  it('serves a campaign without versions to any version text', async () => {
    const { app, campaign } = open;
    for (const android_version of ['14', 'Tiramisu', '', ' 14 ', '-1', '9'.repeat(32), null]) {
      const phone = await world.phone(app);
      expect(await phone.outcome('banner', { android_version }), String(android_version)).to.equal(
        campaign.id,
      );
    }
  });
});
const open = world.pair();

describe('selection: bids', () => {
  world.use();

  const pairs = [
    ['4.01', '4.00'],
    ['0.07', '0.069999'],
    ['2.13', '2.12'],
    ['0.000002', '0.000001'],
  ].map(([high, low]) => {
    const app = world.app();
    const loser = world.campaign({ apps: [app], bid_cpm: low! });
    return { app, high, low, loser, winner: world.campaign({ apps: [app], bid_cpm: high! }) };
  });
  for (const { app, high, low, winner } of pairs) {
    it(`let a bid of ${high!} always win over ${low!}`, async () => {
      const outcomes = await outcomesOf(app, 200);
      expect(new Set(outcomes)).to.deep.equal(new Set([winner.id]));
    });
  }

  const tied = world.app();
  const bids: readonly (string | number)[] = [4.01, '4.01', '4.010'];
  const equals = bids.map((bid_cpm) => world.campaign({ apps: [tied], bid_cpm }));
  it('are drawn at random when they are equal: three of them get 25 to 42 % each', async () => {
    const outcomes = await outcomesOf(tied, 1_000);
    for (const { id } of equals) {
      expect(outcomes.filter((outcome) => outcome === id).length).to.be.within(250, 420);
    }
  }).timeout(30_000);

  const scarce = world.app();
  const second = world.campaign({ apps: [scarce], bid_cpm: 2 });
  const first = world.campaign({ apps: [scarce], bid_cpm: 4, budget_total: '0.008' });
  it('are tried from the highest down: the next campaign is served when the highest cannot reserve its price', async () => {
    const phone = await world.phone(scarce);
    const outcomes = await inTurns(4, 1, () => phone.outcome('banner'));
    expect(outcomes).to.deep.equal([first.id, first.id, second.id, second.id]);
  });
});

/** The outcomes of `count` banner requests, spread over phones so that no session asks too often. */
async function outcomesOf(app: AppEntry, count: number): Promise<string[]> {
  const perPhone = 25;
  const groups = await inTurns(count / perPhone, 8, async () => {
    const phone = await world.phone(app);
    return inTurns(perPhone, 4, () => phone.outcome('banner'));
  });
  return groups.flat();
}
