import { expect } from 'chai';
import { memoryStore, type EventOutcome, type Impression, type Placard } from '../src/index.js';
import { Device } from './device.js';
import { placardOn, Server } from './server.js';

const SECOND_MS = 1_000;

/** A client that has shown an ad, and what became of its events. */
async function shownAd(device: Device, { format = 'end', store = memoryStore() } = {}) {
  const placard = placardOn(device, { eventStore: store });
  const outcomes: EventOutcome[] = [];
  placard.onEvent((outcome) => outcomes.push(outcome));
  const ad = placard.fullscreen(format);
  await ad.load();
  let impression: Impression | undefined;
  let close: () => void = () => undefined;
  const showing = ad.show(async (one) => {
    impression = one;
    await one.shown();
    await new Promise<void>((resolve) => (close = resolve));
  });
  await device.pass(0);
  return { placard, outcomes, store, impression: impression!, close: () => (close(), showing) };
}

function told(outcomes: readonly EventOutcome[]): string[] {
  return outcomes.map(({ event, reason }) => `${event.kind} ${reason ?? 'accepted'}`);
}

describe('the events of the SDK', () => {
  let device: Device;
  let server: Server;
  let placard: Placard | undefined;

  beforeEach(() => {
    device = new Device();
    server = new Server(device);
  });
  afterEach(() => placard?.close());

  it('are sent again after a lost answer, 5xx, 408 and 429, and a duplicate counts as accepted', async () => {
    const answers = ['lost', { status: 500, body: {} }, { status: 408, body: {} }] as const;
    let attempts = 0;
    server.on('/events/impression', () => {
      attempts += 1;
      if (attempts <= answers.length) return answers[attempts - 1]!;
      return { status: 409, body: { status: 'rejected', reason: 'duplicate' } };
    });
    const { outcomes } = await shownAd(device);
    await device.pass(60 * SECOND_MS);
    expect(device.requests('/events/impression').map(({ body }) => body['request_id'])).to.deep.equal(
      Array(4).fill('req_1'),
    );
    expect(told(outcomes)).to.deep.equal(['impression accepted']);
  });

  it('wait as long as Retry-After asks, also when the app asks for haste', async () => {
    let isLimited = true;
    server.on('/events/impression', () =>
      isLimited ? { status: 429, body: { error: { code: 'rate_limited' } }, retryAfter: 40 } : null,
    );
    ({ placard } = await shownAd(device));
    isLimited = false;
    placard.flush();
    await device.pass(39 * SECOND_MS);
    expect(device.requests('/events/impression')).to.have.length(1);
    await device.pass(2 * SECOND_MS);
    expect(device.requests('/events/impression')).to.have.length(2);
  });

  it('are sent at once when the app returns to the foreground', async () => {
    server.on('/events/impression', () => (device.isVisible ? null : 'lost'));
    device.isVisible = false;
    const { outcomes } = await shownAd(device);
    await device.pass(20 * SECOND_MS);
    expect(outcomes).to.deep.equal([]);
    await device.turn(true);
    expect(told(outcomes)).to.deep.equal(['impression accepted']);
  });

  it('are final when the server rejects them, and the rest of the ad is given up with its impression', async () => {
    server.on('/events/impression', () => 'lost');
    const { outcomes, impression } = await shownAd(device);
    await impression.clicked();
    server.on('/events/impression', () => ({
      status: 422,
      body: { status: 'rejected', reason: 'suspicious' },
    }));
    await device.pass(60 * SECOND_MS);
    expect(device.requests('/events/impression')).to.have.length(2);
    expect(device.requests('/events/click')).to.have.length(0);
    expect(told(outcomes)).to.deep.equal(['impression suspicious', 'click no_impression']);
  });

  it('report an impression and a click once, however often the view calls', async () => {
    const { impression, outcomes } = await shownAd(device);
    await Promise.all([impression.shown(), impression.shown()]);
    await Promise.all([impression.clicked(), impression.clicked()]);
    await device.pass(5 * SECOND_MS);
    expect(told(outcomes)).to.deep.equal(['impression accepted', 'click accepted']);
  });

  it('send a click at least a second after the accepted impression, and never before it', async () => {
    let [isUp, acceptedAtMs] = [false, 0];
    server.on('/events/impression', ({ atMs }) => {
      if (!isUp) return 'lost';
      acceptedAtMs = atMs;
      return null;
    });
    const { impression } = await shownAd(device);
    await impression.clicked();
    await device.pass(10 * SECOND_MS);
    expect(device.requests('/events/click')).to.have.length(0);
    isUp = true;
    await device.pass(60 * SECOND_MS);
    const [click] = device.requests('/events/click');
    expect(click!.atMs - acceptedAtMs).to.be.within(SECOND_MS, 2 * SECOND_MS);
  });

  it('are no clicks on an ad that was not on screen', async () => {
    placard = placardOn(device);
    const ad = placard.fullscreen('end');
    await ad.load();
    await ad.show(async (impression) => {
      expect(await impression.clicked()).to.equal('https://shop.example.com/');
    });
    await device.pass(5 * SECOND_MS);
    expect(device.requests('/events/click')).to.have.length(0);
  });

  it('of an app that ended are sent by its next run, oldest first', async () => {
    const store = memoryStore();
    server.on('/events/impression', () => 'lost');
    const first = await shownAd(device, { store });
    await first.impression.clicked();
    first.placard.close();
    expect((await store.list()).map(({ kind }) => kind)).to.deep.equal(['impression', 'click']);

    server.on('/events/impression', () => null);
    placard = placardOn(device, { eventStore: store });
    await placard.start();
    await device.pass(10 * SECOND_MS);
    await placard.drained();
    expect(await store.list()).to.deep.equal([]);
    expect(device.requests('/events/click')).to.have.length(1);
  });

  it('reach the server although the store of the device fails', async () => {
    const fails = (): Promise<never> => Promise.reject(new Error('full'));
    const { outcomes } = await shownAd(device, { store: { list: fails, put: fails, remove: fails } });
    await device.pass(SECOND_MS);
    expect(told(outcomes)).to.deep.equal(['impression accepted']);
  });

  it('report the reward of a rewarded ad once: true at its end, false when the user leaves earlier', async () => {
    const whole = await shownAd(device, { format: 'video' });
    expect(await whole.impression.completed(true)).to.equal(true);
    expect((await whole.close()).isRewarded).to.equal(true);
    const left = await shownAd(device, { format: 'video' });
    expect((await left.close()).isRewarded).to.equal(false);
    await device.pass(5 * SECOND_MS);
    expect(device.requests('/events/reward').map(({ body }) => body['completion'])).to.deep.equal([
      true,
      false,
    ]);
  });
});
