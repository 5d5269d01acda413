import { expect } from 'chai';
import { expectNoComplaints, NOTHING, Stage } from '../browser/stage.js';
import { TestApp } from '../browser/test-app.js';
import { TryPage } from '../browser/try-page.js';
import type { VisitOptions } from '../browser/visit.js';
import { becomes } from '../driver/phone.js';
import { World } from '../driver/world.js';

const world = new World('plain');
const stage = new Stage(world);

const TEST_MS_MAX = 60_000;
const WAIT_MS_MAX = 15_000;
/** How far a user has scrolled, in pixels. */
const SCROLLED_TOP = 400;
/** Time in which a downloaded file is drawn. */
const DRAW_MS_MAX = 10_000;

/** An app for each test, so that its report has what one page saw. */
const apps = {
  below: stage.pair(),
  flat: stage.pair(),
  scrolled: stage.pair(),
  changed: stage.pair(),
  hung: stage.pair(),
  forced: stage.pair(),
  broken: stage.pair(),
};

describe('the views of the SDK in a browser', function () {
  this.timeout(TEST_MS_MAX);
  stage.use();

  it('a banner below the fold is no impression until half of it is in view', async () => {
    const { app } = apps.below;
    const visited = await stage.visit();
    const shown = await TestApp.open(visited, app);
    await shown.press('Start the banner');
    await shown.ad.waitFor();
    await stage.expectCounted(app, visited, { requests: 1, fills: 1 });
    expect(visited.calls).to.not.include('events/impression');

    await shown.ad.scrollIntoViewIfNeeded();
    await shown.settles('impression accepted');
    await stage.expectCounted(app, visited, { requests: 1, fills: 1, impressions: 1 });
    expectNoComplaints(visited);
  });

  it('a banner in a place without height is no impression until the place is open', async () => {
    const { app } = apps.flat;
    const visited = await stage.visit();
    const shown = await TestApp.open(visited, app);
    await shown.giveBanner('0');
    await shown.press('Start the banner');
    await shown.ad.waitFor({ state: 'attached' });
    await shown.giveBanner('0');
    await visited.painted();
    await stage.expectCounted(app, visited, { requests: 1, fills: 1 });
    expect(visited.calls).to.not.include('events/impression');

    await shown.giveBanner('50px');
    await shown.settles('impression accepted');
    await stage.expectCounted(app, visited, { requests: 1, fills: 1, impressions: 1 });
    expectNoComplaints(visited);
  });

  it('an ad over a page that was scrolled covers the window, and neither it nor a wheel moves the other', async () => {
    const { app } = apps.scrolled;
    const visited = await stage.visit();
    const shown = await TestApp.open(visited, app);
    await shown.press('Load');
    await shown.says('ready');
    await shown.showScrolled(SCROLLED_TOP);
    await shown.settles('impression accepted');
    const top = () => visited.page.evaluate<number>('window.scrollY');
    expect(await top()).to.equal(SCROLLED_TOP);
    const window = { x: 0, y: 0, ...visited.page.viewportSize() };
    expect(await shown.ad.boundingBox()).to.deep.equal(window);
    await visited.page.mouse.wheel(0, SCROLLED_TOP / 2);
    await visited.painted();
    expect(await shown.ad.boundingBox()).to.deep.equal(window);
    const before = await top();
    await shown.closeButton.click();
    await shown.says('closed');
    expect(await top()).to.equal(before);
    expectNoComplaints(visited);
  });

  it('an ad that is closed after the settings have changed says nothing about the next session', async () => {
    const { app } = apps.changed;
    const { visited, page } = await stage.tryApp(app, 'interstitial');
    await page.loadButton.click();
    await page.showButton.click();
    await page.settles('impression accepted');
    await visited.page.getByLabel('Language').fill('fr');
    await page.says(/settings have changed/);
    await page.closeButton.click();
    await page.ad.waitFor({ state: 'detached' });
    await visited.painted();
    await page.says(/settings have changed/);
    expectNoComplaints(visited);
  });

  it('an ad whose picture is never drawn is given up after 10 seconds', async () => {
    const { app } = apps.hung;
    let asked = 0;
    const files: VisitOptions['files'] = async (route) => {
      asked += 1;
      // The first request is the download, and the second one is the picture.
      if (asked === 1) await route.fulfill({ contentType: 'image/png', body: 'a part' });
    };
    const { visited, page } = await stage.tryApp(app, 'interstitial', { files, movesClock: true });
    await page.loadButton.click();
    await page.showButton.click();
    expect(await becomes(WAIT_MS_MAX, () => Promise.resolve(asked === 2))).to.equal(true);
    await visited.page.clock.fastForward(DRAW_MS_MAX);
    await page.says('creative_failed');
    await stage.expectCounted(app, visited, { requests: 1, fills: 1, fallbacks: 1 });
    expectNoComplaints(visited);
  });

  it('with “No ads” a load is the no-fill `test_no_fill`, and its fallback is reported', async () => {
    const visited = await stage.visit();
    const page = new TryPage(visited);
    await page.open();
    await page.start(apps.forced.app, { noFill: true });
    await page.choose('interstitial');
    await page.loadButton.click();
    await page.says('test_no_fill');
    await page.settles('fallback accepted');
    expect(await visited.seen()).to.deep.equal({ ...NOTHING, requests: 1, fallbacks: 1 });
    expectNoComplaints(visited);
  });

  it('an ad whose file is damaged is no impression, and the app is told to use its other network', async () => {
    const { app } = apps.broken;
    const files: VisitOptions['files'] = (route) =>
      route.fulfill({ contentType: 'image/png', body: 'no picture' });
    const { visited, page } = await stage.tryApp(app, 'interstitial', { files });
    await page.loadButton.click();
    await page.showButton.click();
    await page.says('creative_failed');
    await stage.expectCounted(app, visited, { requests: 1, fills: 1, fallbacks: 1 });
    expectNoComplaints(visited);
  });
});
