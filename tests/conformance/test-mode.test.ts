import { expect } from 'chai';
import { FORMATS } from '../driver/catalog.js';
import { expectAccepted, expectRejected, expectRewarded, fillOf } from '../driver/expect.js';
import { send } from '../driver/http.js';
import { pass } from '../driver/phone.js';
import { World } from '../driver/world.js';

const world = new World('plain');
const { app, campaign } = world.pair();
const unapproved = world.app({ approved: false });
const lonely = world.app();

/** The parts of the built-in ad of each format. */
const BUILT_IN = {
  banner: { creative_type: 'image', width: 320, height: 50 },
  interstitial: { creative_type: 'image', width: 1080, height: 1920 },
  rewarded: { creative_type: 'video' },
} as const;

describe('test ads', () => {
  world.use();

  for (const format of FORMATS) {
    it(`are served for ${format} in a test session, whatever test_mode the ad request has`, async () => {
      for (const test_mode of [undefined, null, true, false]) {
        const phone = await world.phone(app, { test_mode: true });
        const { ad } = await phone.fill(format, { test_mode });
        expect(ad).to.include({
          campaign_id: 'cmp_test',
          creative_id: `cr_test_${format}`,
          format,
          test: true,
          ...BUILT_IN[format],
        });
        expect(ad.click_url).to.match(/^https?:\/\//);
        expect(ad.duration_seconds === null).to.equal(format !== 'rewarded');
      }
    });

    it(`are served for ${format} in a live session when the ad request has test_mode`, async () => {
      const phone = await world.phone(app);
      const test = await phone.fill(format, { test_mode: true });
      expect(test.ad).to.include({ campaign_id: 'cmp_test', test: true });
      const live = await phone.fill(format);
      expect(live.ad).to.include({ campaign_id: campaign.id, test: false });
    });
  }

  it('need neither a campaign nor an approval of the app', async () => {
    for (const one of [lonely, unapproved]) {
      const phone = await world.phone(one, { test_mode: true });
      for (const format of FORMATS) expect((await phone.fill(format)).ad.test).to.equal(true);
    }
  });

  it('have events that are checked like live ones', async () => {
    const phone = await world.phone(app, { test_mode: true });
    const fill = await phone.fill('rewarded');
    expectRejected(await phone.click(fill), 'no_impression');
    expectRejected(await phone.event('impression', fill, { request_id: 'req_other' }), 'request_mismatch');
    expectAccepted(await phone.impression(fill));
    expectRejected(await phone.impression(fill), 'duplicate');
    expectRewarded(await phone.reward(fill, true), true);
    expectRejected(await phone.reward(fill, true), 'duplicate');
    await pass(1_050);
    expectAccepted(await phone.click(fill));
    expectRejected(await phone.click(fill), 'duplicate');
    const banner = await phone.fill('banner');
    expectAccepted(await phone.impression(banner));
    expectRejected(await phone.reward(banner, true), 'invalid_token');
    expectRejected(await phone.click(banner), 'suspicious');
  });

  it('change no balance', async () => {
    const before = await world.balances();
    const phone = await world.phone(app, { test_mode: true });
    for (const fill of await phone.fills(5, 'banner')) expectAccepted(await phone.impression(fill));
    const live = await world.phone(app);
    expectAccepted(await live.impression(await live.fill('banner', { test_mode: true })));
    await world.settle();
    expect(await world.balances()).to.deep.equal(before);
  });
});

describe('the built-in creatives', () => {
  world.use();

  async function download(format: (typeof FORMATS)[number]): Promise<Buffer> {
    const phone = await world.phone(app, { test_mode: true });
    const { ad } = await phone.fill(format);
    const url = new URL(ad.creative_url);
    expect(url.origin, 'the address by which the client reached the product').to.equal(
      world.url.replace(/\/$/, ''),
    );
    const answer = await send(world.url, { path: url.pathname + url.search, method: 'GET' });
    expect(answer.status).to.equal(200);
    expect(answer.headers['content-type']).to.match(format === 'rewarded' ? /^video\/mp4/ : /^image\/png/);
    return answer.bytes;
  }

  for (const format of ['banner', 'interstitial'] as const) {
    it(`can be downloaded: ${format} is a PNG of its size`, async () => {
      const bytes = await download(format);
      expect(bytes.subarray(0, 8).toString('latin1')).to.equal('\x89PNG\r\n\x1a\n');
      const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
      expect({ creative_type: 'image', ...size }).to.deep.equal(BUILT_IN[format]);
    });
  }

  it('can be downloaded: rewarded is an MP4 in H.264', async () => {
    const bytes = await download('rewarded');
    expect(bytes.subarray(4, 8).toString('latin1')).to.equal('ftyp');
    expect(bytes.includes('avc1')).to.equal(true);
  });

  it('have URLs at the client’s address: Host, or the header of a trusted proxy', async () => {
    const phone = await world.phone(app, { test_mode: true });
    const fields = {
      app_key: app.app_key,
      placement: 'home_banner',
      format: 'banner',
      session_token: phone.token,
    };
    const named = await phone.post('/v1/ads/request', fields, { host: 'ads.example.org:8443' });
    expect(new URL(fillOf(named).ad.creative_url).host).to.equal('ads.example.org:8443');
    const proxied = await phone.post('/v1/ads/request', fields, {
      'x-forwarded-host': 'ads.example.com',
      'x-forwarded-proto': 'https',
    });
    expect(new URL(fillOf(proxied).ad.creative_url).origin).to.equal('https://ads.example.com');
  });
});
