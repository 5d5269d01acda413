import { expect } from 'chai';
import type { Impression, NoAd, Placard } from '../src/index.js';
import { Device } from './device.js';
import { placardOn, Server } from './server.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** Longer than an ad lives. */
const SLEEP_MS = 31 * MINUTE_MS;

describe('the life of an ad of the SDK', () => {
  let device: Device;
  let server: Server;
  let placard: Placard;
  const drawn: string[] = [];
  const cleared: (NoAd | null)[] = [];
  const clear = (noAd: NoAd | null): void => void cleared.push(noAd);
  const draw = async (impression: Impression): Promise<void> => {
    drawn.push(impression.ad.id);
    await impression.shown();
  };

  beforeEach(() => {
    device = new Device();
    server = new Server(device);
    placard = placardOn(device);
    drawn.length = 0;
    cleared.length = 0;
  });
  afterEach(() => placard.close());

  const codeOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => null,
      (error: unknown) => (error as { readonly code?: unknown }).code,
    );
  const reported = (kind: string): number => device.requests(`/events/${kind}`).length;

  /** What a view waits for, until the test lets it go on. */
  function hold(): { readonly held: Promise<void>; readonly end: (fault?: Error) => void } {
    let end: (fault?: Error) => void = () => undefined;
    const held = new Promise<void>((resolve, reject) => {
      end = (fault) => (fault === undefined ? resolve() : reject(fault));
    });
    return { held, end };
  }

  describe('when the banner is stopped while it is drawn', () => {
    for (const fault of [undefined, new Error('cannot decode')]) {
      it(`it is not replaced any more, ${fault ? 'and a failed draw is no fallback' : 'in the background and back'}`, async () => {
        const { held, end } = hold();
        const banner = placard.banner('top', { draw: () => held, clear });
        const started = banner.start();
        await device.pass(0);
        banner.stop();
        end(fault);
        await started;
        await device.pass(5 * MINUTE_MS);
        await device.turn(false);
        await device.turn(true);
        expect(server.ads).to.equal(1);
        expect(cleared).to.deep.equal([]);
        expect(reported('fallback')).to.equal(0);
        expect(device.timers).to.equal(0);
      });
    }
  });

  describe('when the client is closed', () => {
    it('a ready ad expires, nothing shows or loads it, and no timer is left', async () => {
      const ad = placard.fullscreen('end');
      const states: string[] = [];
      await ad.load();
      ad.onState((state) => states.push(state));
      placard.close();
      expect(states).to.deep.equal(['expired']);
      expect(device.timers).to.equal(0);
      const calls = device.received.length;
      expect(await codeOf(ad.show(draw))).to.equal('wrong_state');
      expect(await codeOf(ad.load())).to.equal('wrong_state');
      expect(await codeOf(placard.fullscreen('end').load())).to.equal('wrong_state');
      expect(await codeOf(placard.banner('top', { draw, clear }).start())).to.equal('wrong_state');
      expect(drawn).to.deep.equal([]);
      expect(device.received).to.have.length(calls);
      expect([device.timers, device.watchers]).to.deep.equal([0, 0]);
    });

    it('a load that is under way is refused, requests nothing more, and reports no fallback', async () => {
      for (const [path, requests] of [
        ['/sdk/initialize', 0],
        ['/ads/request', 1],
      ] as const) {
        device = new Device();
        server = new Server(device);
        const closed = placardOn(device);
        server.on(path, () => {
          closed.close();
          return null;
        });
        const ad = closed.fullscreen('end');
        expect(await codeOf(ad.load())).to.equal('wrong_state');
        expect(ad.state).to.equal('unavailable');
        expect(device.requests('/ads/request')).to.have.length(requests);
        expect(device.downloads).to.deep.equal([]);
        expect(device.timers).to.equal(0);
      }
    });

    it('a download that hangs is given up, without a fallback', async () => {
      device.isDownloadHung = true;
      const code = codeOf(placard.fullscreen('end').load());
      await device.pass(SECOND_MS);
      placard.close();
      expect(await code).to.equal('wrong_state');
      expect(device.timers).to.equal(0);
      expect(reported('fallback')).to.equal(0);
    });

    it('a banner rests for ever, also one that is due in the background', async () => {
      await placard.banner('top', { draw, clear }).start();
      await device.turn(false);
      await device.pass(MINUTE_MS);
      await placard.banner('top', { draw, clear }).start();
      const calls = device.received.length;
      placard.close();
      expect([device.timers, device.watchers]).to.deep.equal([0, 0]);
      await device.turn(true);
      await device.pass(10 * MINUTE_MS);
      expect(device.received).to.have.length(calls);
    });
  });

  it('a download that hangs, also without regard for its signal, ends after 30 seconds', async () => {
    device.isDownloadHung = true;
    const loading = placard.fullscreen('end').load();
    await device.pass(30 * SECOND_MS);
    expect((await loading).noAd).to.deep.include({ reason: 'creative_failed', requestId: 'req_1' });
  });

  for (const adMs of [2_000, 5_000]) {
    it(`a banner whose ads live for ${adMs / 1_000} s is replaced every 30 seconds at most`, async () => {
      server.adMs = adMs;
      const banner = placard.banner('top', { draw, clear });
      await banner.start();
      await device.pass(59 * SECOND_MS);
      expect(server.ads).to.equal(2);
    });
  }

  it('an ad that expires before its file is here is no ad, and never drawn', async () => {
    server.adMs = 2_000;
    const { noAd } = await placard.fullscreen('end').load();
    expect(noAd).to.deep.include({ reason: 'timeout', requestId: 'req_1', partnerAdUnitId: 'unit_1' });
  });

  it('an ad that comes on screen after its life is no impression, no click and no reward', async () => {
    const ad = placard.fullscreen('video');
    await ad.load();
    const outcome = await ad.show(async (impression) => {
      await device.pass(SLEEP_MS);
      await impression.shown();
      await impression.clicked();
      expect(impression.isShown).to.equal(false);
      expect(await impression.completed(true)).to.equal(false);
    });
    expect(outcome.isRewarded).to.equal(false);
    await device.pass(5 * SECOND_MS);
    expect(['impression', 'click', 'reward'].map(reported)).to.deep.equal([0, 0, 0]);
  });

  it('a banner that expired in the background is removed at the return, before the next one is here', async () => {
    const unseen: Impression[] = [];
    const banner = placard.banner('top', {
      draw: (impression) => Promise.resolve(void unseen.push(impression)),
      clear,
    });
    await banner.start();
    await device.turn(false);
    await device.pass(SLEEP_MS);
    server.on('/ads/request', () => 'silent');
    await device.turn(true);
    expect(cleared).to.deep.equal([null]);
    await unseen[0]?.shown();
    expect(reported('impression')).to.equal(0);
  });

  it('a listener that loads the next ad of an expired one does not disturb the app that loads it too', async () => {
    const ad = placard.fullscreen('end');
    await ad.load();
    ad.onState((state) => {
      if (state === 'expired') void ad.load();
    });
    // The phone slept, and its timers with it.
    device.nowMs += SLEEP_MS;
    expect((await ad.load()).loaded?.requestId).to.equal('req_2');
    expect(server.ads).to.equal(2);
  });
});
