import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { creative, freshWord } from '../driver/catalog.js';
import type { AppEntry, CreativeEntry, Format } from '../driver/catalog.js';
import { send } from '../driver/http.js';
import { inTurns } from '../driver/phone.js';
import type { Fields } from '../driver/phone.js';
import { World } from '../driver/world.js';

const world = new World('plain');
const DEMO_CATALOG = new URL('../../deploy/local/demo-catalog.yaml', import.meta.url);
const TYPES: Readonly<Record<string, string>> = { png: 'image/png', mp4: 'video/mp4' };
const DRAWS = 24;
const PHONES_MAX = 5;

/** An app with one campaign whose creatives have these sizes; `any` is one without a size. */
function appWith(format: Format, sizes: readonly string[]): AppEntry {
  const word = freshWord();
  const creatives = sizes.map((size): CreativeEntry => {
    const [width = null, height = null] = size.startsWith('any') ? [] : size.split('x').map(Number);
    return creative(`cr_${word}_${size}`, format, { width, height });
  });
  return world.pair({ creatives }).app;
}

/**
 * The sizes that phones receive in many requests, sorted. The choice is random and may miss a size for long, so more phones
 * ask until the expected number of sizes is seen.
 */
async function shown(app: AppEntry, format: Format, screen: Fields, awaited: number): Promise<string[]> {
  const seen = new Set<string>();
  for (let phones = 0; phones < PHONES_MAX && (phones === 0 || seen.size < awaited); phones += 1) {
    const phone = await world.phone(app);
    const fills = await inTurns(DRAWS, 6, () => phone.fill(format, screen));
    for (const fill of fills) seen.add(fill.ad.creative_id.split('_').at(-1)!);
  }
  return [...seen].sort();
}

/** Compares the sizes that a phone receives with the expected ones. */
async function expectShown(
  app: AppEntry,
  format: Format,
  screen: Fields,
  expected: readonly string[],
): Promise<void> {
  const sizes = await shown(app, format, screen, expected.length);
  expect(sizes, JSON.stringify(screen)).to.deep.equal(expected);
}

describe('selection: a fitting banner', () => {
  world.use();

  const sizes = ['320x50', '468x60', '728x90'];
  const sized = appWith('banner', sizes);
  const withAny = appWith('banner', ['320x50', 'any']);
  const twins = appWith('banner', ['320x50', '320x48', '300x50']);
  const cases: readonly (readonly [screen: Fields, expected: readonly string[]])[] = [
    [{ screen_width: 320, screen_height: 640 }, ['320x50']],
    [{ screen_width: 467 }, ['320x50']],
    [{ screen_width: 468 }, ['468x60']],
    [{ screen_width: 1080, screen_height: 1920 }, ['728x90']],
    [{ screen_height: 60 }, ['468x60']],
    [{ screen_width: 2000, screen_height: 59 }, ['320x50']],
    [{ screen_width: 0, screen_height: 60 }, ['468x60']],
    [{}, sizes],
    [{ screen_width: 0, screen_height: 0 }, sizes],
    [{ screen_width: null }, sizes],
  ];
  for (const [screen, expected] of cases) {
    it(`is the widest that fits: ${JSON.stringify(screen)} shows ${expected.join(' or ')}`, async () => {
      await expectShown(sized, 'banner', screen, expected);
    });
  }

  it('is drawn at random among the widest', async () => {
    await expectShown(twins, 'banner', { screen_width: 320 }, ['320x48', '320x50']);
  });

  it('without a size fits everywhere and comes after creatives with a fitting size', async () => {
    await expectShown(withAny, 'banner', { screen_width: 320 }, ['320x50']);
    await expectShown(withAny, 'banner', { screen_width: 319 }, ['any']);
    await expectShown(withAny, 'banner', {}, ['320x50', 'any']);
  });

  const mixed = world.app();
  const small = world.campaign({ apps: [mixed], bid_cpm: 1 });
  world.campaign({
    apps: [mixed],
    bid_cpm: 9,
    creatives: [creative(`cr_${freshWord()}`, 'banner', { width: 728, height: 90 })],
  });
  it('decides whether its campaign is eligible: one without a fitting banner is skipped', async () => {
    const phone = await world.phone(mixed);
    expect(await phone.outcome('banner', { screen_width: 400 })).to.equal(small.id);
    expect(await (await world.phone(sized)).outcome('banner', { screen_width: 319 })).to.equal(
      'no_eligible_campaign',
    );
  });
});

describe('selection: the orientation of interstitial and rewarded creatives', () => {
  world.use();

  const all = ['1080x1920', '1920x1080', '500x500'];
  const portrait = { screen_width: 1080, screen_height: 1920 };
  const landscape = { screen_width: 1920, screen_height: 1080 };
  for (const format of ['interstitial', 'rewarded'] as const) {
    const mixed = appWith(format, all);
    const upright = appWith(format, ['1080x1920', '720x1280']);
    const withAny = appWith(format, ['1080x1920', 'any']);
    it(`follows the screen (${format}); a square creative fits both`, async () => {
      await expectShown(mixed, format, portrait, ['1080x1920', '500x500']);
      await expectShown(mixed, format, landscape, ['1920x1080', '500x500']);
    });

    it(`does not matter for a square screen or with an unknown dimension (${format})`, async () => {
      for (const screen of [
        { screen_width: 900, screen_height: 900 },
        { screen_width: 1080 },
        { screen_height: 0 },
      ]) {
        await expectShown(mixed, format, screen, all);
      }
    });

    it(`is ignored when the campaign has no creative of that orientation (${format})`, async () => {
      await expectShown(upright, format, landscape, ['1080x1920', '720x1280']);
    });

    it(`puts a creative without a size after creatives that fit (${format})`, async () => {
      await expectShown(withAny, format, portrait, ['1080x1920']);
    });
  }
});

describe('demo files', () => {
  world.use();

  const banner = creative(`cr_${freshWord()}`, 'banner', { url: '/creatives/demo/spring-320x50.png' });
  const { app } = world.pair({ creatives: [banner] });

  it('are downloaded by a phone from the address by which it reached the product', async () => {
    const phone = await world.phone(app);
    const { ad } = await phone.fill('banner');
    expect(ad.test).to.equal(false);
    expect(ad.creative_url).to.equal(`${world.url.replace(/\/$/, '')}${banner.url}`);
    const file = await send(world.url, { method: 'GET', path: new URL(ad.creative_url).pathname });
    expect(file.status).to.equal(200);
    expect(file.headers['content-type']).to.equal('image/png');
    expect(file.bytes.readUInt32BE(16)).to.equal(ad.width);
  });

  it('are all creatives of the demo catalog, so that each of its ads is visible', async () => {
    const named = [...readFileSync(DEMO_CATALOG, 'utf8').matchAll(/^ +url: (.+)$/gm)];
    expect(named).to.have.length.above(5);
    for (const [, url = ''] of named) {
      const file = await send(world.url, { method: 'GET', path: url });
      expect([url, file.status, file.headers['content-type']]).to.deep.equal([
        url,
        200,
        TYPES[url.split('.').at(-1) ?? ''],
      ]);
    }
  });
});
