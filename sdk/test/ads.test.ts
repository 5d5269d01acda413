import { expect } from 'chai';
import type { BannerView, FullscreenView, Impression, NoAd, Placard } from '../src/index.js';
import { Device } from './device.js';
import { placardOn, placement, Server } from './server.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

describe('the ads of the SDK', () => {
  let device: Device;
  let server: Server;
  let placard: Placard;

  beforeEach(() => {
    device = new Device();
    server = new Server(device);
    placard = placardOn(device);
  });
  afterEach(() => placard.close());

  const refusal = (call: () => Promise<unknown>): Promise<unknown> =>
    call().then(
      () => null,
      (error: unknown) => error,
    );
  const fallbacks = () => device.requests('/events/fallback').map(({ body }) => body['reason']);

  describe('a full-screen ad of the SDK', () => {
    it('is loaded once, with its file, and shown once', async () => {
      const ad = placard.fullscreen('end');
      const states: string[] = [];
      ad.onState((state) => states.push(state));
      const [first, second] = await Promise.all([ad.load(), ad.load()]);
      expect(first).to.equal(second);
      expect(device.downloads).to.deep.equal(['https://files.example.com/1.png']);
      await ad.load();
      await ad.show((impression) => impression.shown());
      expect(states).to.deep.equal(['loading', 'ready', 'showing', 'closed']);
      expect(server.ads).to.equal(1);
      const error: unknown = await ad
        .show((impression) => impression.shown())
        .catch((thrown: unknown) => thrown);
      expect(error).to.deep.include({ code: 'wrong_state' });
    });

    it('expires on time, also when the clock is wrong or was set back, and can be loaded again', async () => {
      device.serverAheadMs = -86_400_000;
      const ad = placard.fullscreen('end');
      await ad.load();
      device.nowMs -= 7 * MINUTE_MS;
      await device.pass(29 * MINUTE_MS);
      expect(ad.state).to.equal('ready');
      await device.pass(MINUTE_MS);
      expect(ad.state).to.equal('expired');
      expect((await ad.load()).loaded?.requestId).to.equal('req_2');
    });

    it('answers the reason of a no-fill and the unit of the other network, and reports the fallback', async () => {
      server.on('/ads/request', () => ({
        status: 200,
        body: { status: 'no_fill', request_id: 'req_n', fallback: 'partner', reason: 'frequency_capped' },
      }));
      expect((await placard.fullscreen('end').load()).noAd).to.deep.equal({
        reason: 'no_fill',
        noFill: 'frequency_capped',
        requestId: 'req_n',
        error: null,
        partnerAdUnitId: 'unit_1',
      });
      expect(fallbacks()).to.deep.equal(['no_fill']);
    });

    it('reports no fallback where the placement has none', async () => {
      server.placements = [placement({ fallback_provider: 'none' })];
      server.on('/ads/request', () => ({ status: 500, body: {} }));
      const { noAd } = await placard.fullscreen('end').load();
      expect(noAd).to.deep.include({ reason: 'error', partnerAdUnitId: null });
      expect(fallbacks()).to.deep.equal([]);
    });

    it('gives up after the time of the placement, with the fallback `timeout`', async () => {
      server.on('/ads/request', () => 'silent');
      await placard.start();
      const loading = placard.fullscreen('end').load();
      await device.pass(2 * SECOND_MS);
      expect((await loading).noAd).to.deep.include({ reason: 'timeout' });
      expect(fallbacks()).to.deep.equal(['timeout']);
    });

    it('whose file cannot be loaded or drawn is no impression, but the fallback `creative_failed`', async () => {
      device.broken.add('https://files.example.com/1.png');
      const ad = placard.fullscreen('end');
      expect((await ad.load()).noAd?.error).to.deep.include({ code: 'creative_failed' });
      expect(ad.state).to.equal('unavailable');
      await ad.load();
      const { noAd } = await ad.show(() => Promise.reject(new Error('cannot decode')));
      expect(noAd).to.deep.include({ reason: 'creative_failed', requestId: 'req_2' });
      await device.pass(SECOND_MS);
      expect(fallbacks()).to.deep.equal(['creative_failed', 'creative_failed']);
      expect(device.requests('/events/impression')).to.have.length(0);
    });

    it('of a placement that the app does not have is an error that names the ones it has', async () => {
      const error: unknown = await placard
        .fullscreen('start')
        .load()
        .catch((thrown: unknown) => thrown);
      expect(error).to.deep.include({ code: 'placement_not_found' });
      expect(String(error)).to.contain('end, video, top');
    });

    it('of a banner placement is refused before a request', async () => {
      expect(await refusal(() => placard.fullscreen('top').load())).to.deep.include({
        code: 'format_mismatch',
        message: 'Placement top is of format banner; use placard.banner().',
      });
      expect(server.ads).to.equal(0);
    });

    it('whose format has changed since the session began is no ad', async () => {
      const body = { error: { code: 'format_mismatch', message: 'The placement is a banner.' } };
      server.on('/ads/request', () => ({ status: 400, body }));
      expect((await placard.fullscreen('end').load()).noAd?.error).to.deep.include({
        code: 'format_mismatch',
      });
    });

    it('refuses a view that is no function, and stays ready', async () => {
      const ad = placard.fullscreen('end');
      await ad.load();
      const show = () => ad.show({ draw: () => undefined } as unknown as FullscreenView);
      expect(await refusal(show)).to.deep.include({ code: 'validation_failed' });
      expect(ad.state).to.equal('ready');
      expect(fallbacks()).to.deep.equal([]);
    });

    it('is a no-fill on each request of a client with `testNoFill`', async () => {
      await placardOn(device, { testNoFill: true }).fullscreen('end').load();
      await placard.fullscreen('end').load();
      const forced = device.requests('/ads/request').map(({ body }) => body['test_force_no_fill']);
      expect(forced).to.deep.equal([true, false]);
    });

    it('uses the fallback that the answer names, not the one of an older configuration', async () => {
      const answer = {
        status: 'no_fill',
        request_id: 'req_n',
        fallback: 'none',
        reason: 'no_eligible_campaign',
      };
      server.on('/ads/request', () => ({ status: 200, body: answer }));
      expect((await placard.fullscreen('end').load()).noAd).to.deep.include({ partnerAdUnitId: null });
      expect(fallbacks()).to.deep.equal([]);

      server.placements = [placement({ fallback_provider: 'none' })];
      server.on('/ads/request', () => ({ status: 200, body: { ...answer, fallback: 'partner' } }));
      const later = placardOn(device).fullscreen('end');
      expect((await later.load()).noAd).to.deep.include({ partnerAdUnitId: 'unit_1' });
      expect(fallbacks()).to.deep.equal(['no_fill']);
    });

    it('whose placement was removed before it could not be drawn is still a missing ad', async () => {
      const ad = placard.fullscreen('end');
      await ad.load();
      server.placements = [placement({ code: 'other' })];
      await device.pass(16 * MINUTE_MS);
      await placard.start();
      await device.pass(0);
      expect(placard.session?.placements.map(({ code }) => code)).to.deep.equal(['other']);
      const { noAd } = await ad.show(() => Promise.reject(new Error('cannot decode')));
      expect(noAd).to.deep.include({ reason: 'creative_failed', partnerAdUnitId: null });
      expect(ad.state).to.equal('closed');
    });
  });

  describe('a banner of the SDK', () => {
    const drawn: string[] = [];
    const requests: string[] = [];
    const empty: (NoAd | null)[] = [];
    const view = {
      draw: async (impression: Impression) => {
        drawn.push(impression.ad.id);
        requests.push(impression.requestId);
        await impression.shown();
      },
      clear: (noAd: NoAd | null) => void empty.push(noAd),
    };
    beforeEach(() => {
      drawn.length = 0;
      requests.length = 0;
      empty.length = 0;
    });

    it('refuses a view without `draw` or `clear` at once', async () => {
      for (const wrong of [view.draw, null, { draw: view.draw }, { clear: view.clear }]) {
        const create = () => placard.banner('top', wrong as unknown as BannerView);
        expect(await refusal(() => Promise.resolve().then(create))).to.deep.include({
          code: 'validation_failed',
          isRetryable: false,
        });
      }
      expect(device.received).to.deep.equal([]);
    });

    it('of a full-screen placement is refused before a request', async () => {
      const banner = placard.banner('end', view);
      expect(await refusal(() => banner.start())).to.deep.include({
        code: 'format_mismatch',
        message: 'Placement end is of format interstitial; use placard.fullscreen().',
      });
      await device.pass(10 * MINUTE_MS);
      expect(server.ads).to.equal(0);
    });

    it('is replaced every `banner_refresh_seconds` until it is stopped', async () => {
      const banner = placard.banner('top', view);
      await banner.start();
      await device.pass(61 * SECOND_MS);
      expect(drawn).to.deep.equal(['ad_1', 'ad_2', 'ad_3']);
      expect(requests).to.deep.equal(['req_1', 'req_2', 'req_3']);
      banner.stop();
      await device.pass(10 * MINUTE_MS);
      expect(server.ads).to.equal(3);
    });

    it('rests in the background and is replaced at the return when its time is over', async () => {
      const banner = placard.banner('top', view);
      await banner.start();
      await device.turn(false);
      await device.pass(10 * MINUTE_MS);
      expect(drawn).to.deep.equal(['ad_1']);
      await device.turn(true);
      expect(drawn).to.deep.equal(['ad_1', 'ad_2']);
      await device.turn(false);
      await device.turn(true);
      expect(drawn).to.have.length(2);
      banner.stop();
    });

    it('is cleared when there is no ad, and tries again at the next refresh', async () => {
      server.on('/ads/request', () => ({ status: 500, body: {} }));
      const banner = placard.banner('top', view);
      await banner.start();
      expect(empty.map((noAd) => noAd?.reason)).to.deep.equal(['error']);
      server.on('/ads/request', () => null);
      await device.pass(30 * SECOND_MS);
      expect(drawn).to.deep.equal(['ad_1']);
      banner.stop();
    });

    it('that was stopped while its ad was loading is not shown', async () => {
      const banner = placard.banner('top', view);
      const started = banner.start();
      banner.stop();
      await started;
      expect(drawn).to.deep.equal([]);
    });
  });
});
