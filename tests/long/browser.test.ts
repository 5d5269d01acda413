import { OPERATOR_KEY } from '@placard/local';
import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { expectNoComplaints, FAILED_REQUEST, NOTHING, PLACEMENTS, Stage } from '../browser/stage.js';
import { TestApp } from '../browser/test-app.js';
import { TryPage } from '../browser/try-page.js';
import type { Visit } from '../browser/visit.js';
import { becomes } from '../driver/phone.js';
import { World } from '../driver/world.js';

const world = new World('plain');
const stage = new Stage(world);

const TEST_MS_MAX = 60_000;
const WAIT_MS_MAX = 15_000;
const MINUTE_MS = 60_000;
/** Longer than any ad and session lives. */
const LATER_MS = 24 * 60 * MINUTE_MS;

/** An app for each test, so that its report has what one page saw. */
const apps = {
  banner: stage.pair(),
  interstitial: stage.pair(),
  rewarded: stage.pair(),
  pressed: stage.pair(),
  offline: stage.pair(),
  blocked: stage.pair(),
  crashed: stage.pair(),
  lost: stage.pair(),
  expired: stage.pair(),
  slept: stage.pair(),
  off: stage.pair(),
  abroad: stage.pair({ countries: ['DE'] }),
};
const testedApp = world.app({ placements: PLACEMENTS });

describe('ads in a browser', function () {
  this.timeout(TEST_MS_MAX);
  stage.use();

  it('a banner is seen, clicked, and replaced after its time', async () => {
    const { app, campaign } = apps.banner;
    const { visited, page } = await stage.tryApp(app, 'banner', { movesClock: true });
    await page.bannerButton.click();
    await page.settles('impression accepted');
    const tab = await visited.openedBy(() => page.ad.click());
    expect(tab.url).to.equal(campaign.creatives[0]!.click_url);
    expect(tab.hasOpener, 'the tab can reach the page').to.equal(false);
    await stage.expectCounted(app, visited, { requests: 1, fills: 1, impressions: 1, clicks: 1 });

    await visited.page.clock.fastForward(MINUTE_MS);
    await stage.expectCounted(app, visited, { requests: 2, fills: 2, impressions: 2, clicks: 1 });
    expectNoComplaints(visited);
  });

  it('a second press on a banner that is loading asks for no second ad', async () => {
    const { app } = apps.pressed;
    const { visited, page } = await stage.tryApp(app, 'banner');
    const release = await visited.hold('ads/request');
    await page.bannerButton.dblclick();
    await page.isLoading(true);
    release();
    await page.isLoading(false);
    await page.settles('impression accepted');
    await stage.expectCounted(app, visited, { requests: 1, fills: 1, impressions: 1 });

    await page.choose('interstitial');
    await page.says(/^$/);
    await page.has('next banner', '–');
    await page.has('ad may be shown for', '–');
    expectNoComplaints(visited);
  });

  it('a wrong key and a wrong country are named at their fields', async () => {
    const visited = await stage.visit();
    const page = new TryPage(visited);
    await page.open('not-a-key');
    await page.refusesKey(/refuses/);
    await visited.page.getByLabel('Country').fill('D');
    await page.start(apps.pressed.app);
    expect(await visited.page.locator(':user-invalid').getAttribute('id')).to.equal('country');
    expect(visited.calls).to.deep.equal([]);
    expectNoComplaints(visited, FAILED_REQUEST);
  });

  it('an interstitial is seen, clicked, and closed, with the keyboard alone', async () => {
    const { app, campaign } = apps.interstitial;
    const { visited, page } = await stage.tryApp(app, 'interstitial');
    const { keyboard } = visited.page;
    await page.loadButton.press('Enter');
    await page.isReady(true);
    await page.showButton.press('Enter');
    await page.closeButton.and(visited.page.locator(':focus')).waitFor();
    // The cross has the focus before the ad is painted, and a press on an ad that nobody has seen is no click.
    await page.settles('impression accepted');
    await keyboard.press('Shift+Tab');
    const tab = await visited.openedBy(() => keyboard.press('Enter'));
    expect(tab.url).to.equal(campaign.creatives[1]!.click_url);
    await keyboard.press('Escape');
    await page.says('closed');
    expect(await page.ad.count(), 'ads on the phone').to.equal(0);
    await stage.expectCounted(app, visited, { requests: 1, fills: 1, impressions: 1, clicks: 1 });
    expectNoComplaints(visited);
  });

  it('a rewarded video that was clicked and seen to its end is rewarded, and one that was closed earlier is not', async () => {
    const { app, campaign } = apps.rewarded;
    const { visited, page } = await stage.tryApp(app, 'rewarded');
    await page.loadButton.click();
    await page.showButton.click();
    await page.settles('impression accepted');
    const tab = await visited.openedBy(() => page.ad.click());
    expect(tab.url).to.equal(campaign.creatives[2]!.click_url);
    const hasEnded = () => visited.page.evaluate<boolean>("document.querySelector('video').ended");
    expect(await becomes(WAIT_MS_MAX, hasEnded), 'the video ends').to.equal(true);
    await page.closeButton.click();
    await page.says(/rewarded/);
    await stage.expectCounted(app, visited, { requests: 1, fills: 1, impressions: 1, clicks: 1, rewards: 1 });

    await page.loadButton.click();
    await page.showButton.click();
    await page.closeButton.click();
    await page.says(/closed/);
    await stage.expectCounted(app, visited, { requests: 2, fills: 2, impressions: 2, clicks: 1, rewards: 1 });
    expectNoComplaints(visited);
  });

  for (const format of ['interstitial', 'rewarded'] as const) {
    it(`${format}: a loaded ad is shown without a network, from another host and the cache of the browser`, async () => {
      const { port } = new URL(world.url);
      const headers = { 'x-forwarded-host': `localhost:${port}` };
      const visited = await stage.visit({ files: null, headers });
      const page = new TryPage(visited);
      await page.open();
      await page.start(testedApp, { test: true });
      await page.choose(format);
      await page.loadButton.click();
      await page.isReady(true);
      await visited.context.setOffline(true);
      await page.showButton.click();
      await page.closeButton.click();
      await page.says('closed');
      expectNoComplaints(visited, FAILED_REQUEST);
    });
  }

  it('without a network events wait, and each is accepted once when it is back', async () => {
    const { app } = apps.offline;
    const visited = await stage.visit({ movesClock: true });
    const shown = await TestApp.open(visited, app);
    await shown.press('Load');
    await shown.says('ready');
    await visited.context.setOffline(true);
    await shown.press('Show');
    await shown.closeButton.click();
    await shown.says('closed');
    expect(
      await becomes(WAIT_MS_MAX, () => Promise.resolve(visited.calls.includes('events/impression'))),
    ).to.equal(true);
    expect(await shown.events()).to.deep.equal([]);
    await shown.press('Load');
    await shown.says('unavailable');
    await stage.expectCounted(app, visited, { requests: 1, fills: 1 });

    await visited.context.setOffline(false);
    await visited.page.clock.fastForward(MINUTE_MS);
    await shown.settles('impression accepted');
    await shown.settles('fallback accepted');
    await stage.expectCounted(app, visited, { requests: 1, fills: 1, impressions: 1, fallbacks: 1 });
    expectNoComplaints(visited, FAILED_REQUEST);
  });

  it('events of an app that was killed without a network are accepted once at its next start', async () => {
    const { app } = apps.crashed;
    const visited = await stage.visit();
    const ended = await TestApp.open(visited, app);
    await ended.press('Load');
    await ended.says('ready');
    await visited.context.setOffline(true);
    await ended.press('Show');
    await ended.closeButton.click();
    await ended.says('closed');
    // A page that closes would send them once more, and its browser would deliver them later.
    const crash = visited.page.waitForEvent('crash');
    await visited.page.goto('chrome://crash').catch(() => undefined);
    await crash;
    await visited.page.close();
    await visited.context.setOffline(false);

    const again = await TestApp.open(visited, app, await visited.context.newPage());
    await again.settles('impression accepted');
    expect(await again.events()).to.deep.equal(['impression accepted']);
    await stage.expectCounted(app, visited, { requests: 1, fills: 1, impressions: 1 });
    expectNoComplaints(visited, FAILED_REQUEST);
  });

  it('a blocked network is named, and the same button works when it is back', async () => {
    const visited = await stage.visit();
    const page = new TryPage(visited);
    await page.open();
    await visited.context.setOffline(true);
    await page.start(apps.blocked.app);
    await page.says('network');
    await visited.context.setOffline(false);
    await page.startButton.click();
    await page.choose('interstitial');
    await page.loadButton.click();
    await page.isReady(true);
    await stage.expectCounted(apps.blocked.app, visited, { requests: 1, fills: 1 });
    expectNoComplaints(visited, FAILED_REQUEST);
  });

  it('an event whose answer was lost is sent again, and counts once', async () => {
    const { app } = apps.lost;
    const visited = await stage.visit();
    const shown = await TestApp.open(visited, app);
    const lose = (route: Route): Promise<void> => route.fetch().then(() => route.abort());
    await visited.page.route('**/v1/events/impression', lose, { times: 1 });
    await shown.press('Load');
    await shown.says('ready');
    await shown.press('Show');
    await shown.settles('impression accepted');
    expect(visited.calls.filter((call) => call === 'events/impression')).to.have.length(2);
    expect(await stage.counted(app)).to.deep.equal({ ...NOTHING, requests: 1, fills: 1, impressions: 1 });
    expectNoComplaints(visited, FAILED_REQUEST);
  });

  it('an expired ad is never shown, and another one can be loaded', async () => {
    const { app } = apps.expired;
    const { visited, page } = await stage.tryApp(app, 'interstitial', { movesClock: true });
    await page.loadButton.click();
    await page.isReady(true);
    await visited.page.clock.fastForward(LATER_MS);
    await page.isReady(false);
    await stage.expectCounted(app, visited, { requests: 1, fills: 1 });

    await page.loadButton.click();
    await page.showButton.click();
    await page.closeButton.click();
    await stage.expectCounted(app, visited, { requests: 2, fills: 2, impressions: 1 });
    expectNoComplaints(visited);
  });

  it('an ad that expired while the device slept, with its timers, is refused', async () => {
    const { app } = apps.slept;
    const visited = await stage.visit({ movesClock: true });
    const shown = await TestApp.open(visited, app);
    await shown.press('Load');
    await shown.says('ready');
    await visited.page.clock.setSystemTime(Date.now() + LATER_MS);
    await shown.press('Show');
    await shown.says('refused: wrong_state');
    expect(await shown.ad.count()).to.equal(0);
    await stage.expectCounted(app, visited, { requests: 1, fills: 1 });
    expectNoComplaints(visited);
  });

  it('an app that is switched off stops asking, and asks again when it is on', async () => {
    const { app } = apps.off;
    const asked = ({ calls }: Visit): number => calls.filter((call) => call === 'ads/request').length;
    const { visited, page } = await stage.tryApp(app, 'interstitial', { movesClock: true });
    await page.loadButton.click();
    await page.isReady(true);
    app.serving_enabled = false;
    await world.apply();
    await page.open();
    await page.start(app);
    await page.choose('interstitial');
    await page.loadButton.click();
    await page.says('disabled');
    expect(asked(visited)).to.equal(1);

    app.serving_enabled = true;
    await world.apply();
    await visited.page.clock.fastForward(6 * MINUTE_MS);
    await page.loadButton.click();
    await page.isReady(true);
    expect(asked(visited)).to.equal(2);
    await stage.expectCounted(app, visited, { requests: 2, fills: 2, fallbacks: 1 });
    expectNoComplaints(visited);
  });

  it('a no-fill says its reason, and why each campaign was not shown', async () => {
    const { app, campaign } = apps.abroad;
    const visited = await stage.visit();
    const page = new TryPage(visited);
    await page.open(OPERATOR_KEY);
    expect(visited.page.url(), 'the address keeps no key').to.not.contain(OPERATOR_KEY);
    await page.startKnown(app.id);
    await page.choose('interstitial');
    await page.loadButton.click();
    await page.says('no_eligible_campaign');
    await page.explains(campaign.id, 'country');
    await stage.expectCounted(app, visited, { requests: 1, fallbacks: 1 });
    expectNoComplaints(visited);
  });
});
