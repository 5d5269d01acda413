import {
  memoryStore,
  Placard,
  type EventOutcome,
  type FullscreenAd,
  type Impression,
  type NoAd,
} from '@placard/sdk';
import { expect } from 'chai';
import { CODE_OF, type AppEntry } from './driver/catalog.js';
import { becomes, freshAddress, inTurns, pass } from './driver/phone.js';
import { World } from './driver/world.js';

const world = new World('faults');
const { app, campaign } = world.pair();

const SHOWS = 20;
const PAUSE_MS = 150;
const DRAINED_MS_MAX = 60_000;

/** A client of the SDK whose files need no host: the creatives of the tests have none. */
function placardOf(
  { app_key: appKey, package_name: packageName }: AppEntry,
  eventStore = memoryStore(),
): Placard {
  const address = freshAddress();
  return new Placard({
    baseUrl: `${world.url}/v1`,
    appKey,
    packageName,
    eventStore,
    platform: {
      download: () => Promise.resolve(),
      fetch: (url, init) =>
        fetch(url, { ...init, headers: { ...(init?.headers as object), 'x-forwarded-for': address } }),
    },
  });
}

function outcomesOf(placard: Placard): EventOutcome[] {
  const outcomes: EventOutcome[] = [];
  placard.onEvent((outcome) => outcomes.push(outcome));
  return outcomes;
}

/** Loads an ad. The instance may just have lost a part, so a load that fails is repeated. */
async function loadUntilFilled(ad: FullscreenAd): Promise<void> {
  const isLoaded = await becomes(DRAINED_MS_MAX, async () => (await ad.load()).loaded !== null);
  expect(isLoaded, 'an ad is loaded').to.equal(true);
}

function accepted(outcomes: readonly EventOutcome[]): readonly string[] {
  return outcomes.map(({ event, isAccepted, reason }) => `${event.kind} ${isAccepted ? 'accepted' : reason}`);
}

describe('the SDK against the product', () => {
  world.use();

  it('shows each format, and its events are accepted', async () => {
    const placard = placardOf(app);
    const outcomes = outcomesOf(placard);
    await placard.start();

    const interstitial = placard.fullscreen(CODE_OF.interstitial);
    await loadUntilFilled(interstitial);
    await interstitial.show(async (impression) => {
      expect(impression.ad.campaign_id).to.equal(campaign.id);
      await impression.shown();
      await impression.clicked();
    });
    const rewarded = placard.fullscreen(CODE_OF.rewarded);
    await loadUntilFilled(rewarded);
    const { isRewarded } = await rewarded.show(async (impression) => {
      await impression.shown();
      await impression.completed(true);
    });
    expect(isRewarded).to.equal(true);
    const banner = placard.banner(CODE_OF.banner, {
      draw: (impression: Impression) => impression.shown(),
      clear: (noAd: NoAd | null) => expect.fail(JSON.stringify(noAd)),
    });
    await banner.start();
    banner.stop();
    await placard.drained();
    placard.close();
    expect(accepted(outcomes)).to.have.members([
      ...['impression accepted', 'impression accepted', 'impression accepted'],
      ...['click accepted', 'reward accepted'],
    ]);
  });

  it('loses and doubles no impression while parts are killed', async () => {
    const mine = world.pair();
    await world.apply();
    const placard = placardOf(mine.app);
    const outcomes = outcomesOf(placard);
    await placard.start();
    let shown = 0;
    const showOne = async (): Promise<void> => {
      const ad = placard.fullscreen(CODE_OF.interstitial);
      if ((await ad.load()).loaded === null) return;
      await ad.show((impression) => impression.shown());
      shown += 1;
    };
    for (const name of ['events-service', 'gateway', 'fraud-service']) {
      const showing = showMany(showOne);
      await world.running.kill(name);
      await pass(SHOWS * PAUSE_MS);
      await world.running.restart(name);
      await showing;
    }
    await within(DRAINED_MS_MAX, placard.drained());
    placard.close();
    expect(shown).to.be.above(0);
    expect(accepted(outcomes).filter((outcome) => outcome === 'impression accepted')).to.have.length(shown);
    const [row] = await world.rows('campaign', (one) => one.campaign === mine.campaign.id);
    expect(row?.impressions).to.equal(shown);
  }).timeout(DRAINED_MS_MAX * 3);

  it('sends what an app that was killed while a part was down has left, once', async () => {
    const mine = world.pair();
    await world.apply();
    const store = memoryStore();
    const killed = placardOf(mine.app, store);
    const ad = killed.fullscreen(CODE_OF.interstitial);
    await loadUntilFilled(ad);
    await world.running.kill('events-service');
    await ad.show((impression) => impression.shown());
    killed.close();
    expect((await store.list()).map(({ kind }) => kind)).to.deep.equal(['impression']);
    await world.running.restart('events-service');

    const placard = placardOf(mine.app, store);
    const outcomes = outcomesOf(placard);
    await placard.start();
    await within(DRAINED_MS_MAX, placard.drained());
    placard.close();
    expect(accepted(outcomes)).to.deep.equal(['impression accepted']);
    const [row] = await world.rows('campaign', (one) => one.campaign === mine.campaign.id);
    expect(row?.impressions).to.equal(1);
  }).timeout(DRAINED_MS_MAX * 2);
});

/** Loads and shows ads one after the other, with a pause between them. */
async function showMany(showOne: () => Promise<void>): Promise<void> {
  await inTurns(SHOWS, 1, async () => {
    await showOne();
    await pass(PAUSE_MS);
  });
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = pass(ms).then(() => Promise.reject(new Error(`not done within ${ms} ms`)));
  return Promise.race([work, late]);
}
