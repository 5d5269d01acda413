import { messageOf } from '@placard/service-kit';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { threePlacements, type AppEntry, type Format } from '../driver/catalog.js';
import { becomes } from '../driver/phone.js';
import type { CampaignOptions, World } from '../driver/world.js';
import { findChromium, openChromium } from './chromium.js';
import { TryPage } from './try-page.js';
import { Visit, type Seen, type VisitOptions } from './visit.js';

/** Unpacking the browser on a slow network. */
const FIND_MS_MAX = 600_000;
const WAIT_MS_MAX = 15_000;

/** The browser says in its console that a request failed. */
export const FAILED_REQUEST = /^Failed to load resource: /;
/** A page that has seen nothing of the API. */
export const NOTHING: Seen = {
  requests: 0,
  fills: 0,
  impressions: 0,
  clicks: 0,
  rewards: 0,
  fallbacks: 0,
};
/** A placement of each format. On a busy machine an answer is late. */
export const PLACEMENTS = threePlacements().map((placement) => ({ ...placement, request_timeout_ms: 5_000 }));

/** A product and a browser, for the tests of a suite. */
export class Stage {
  readonly #world: World;
  readonly #visits: Visit[] = [];
  #browser: Browser | null = null;

  constructor(world: World) {
    this.#world = world;
  }

  /** Adds an app and a campaign that only this app shows. */
  pair(campaign: CampaignOptions = {}): ReturnType<World['pair']> {
    return this.#world.pair(campaign, { placements: PLACEMENTS });
  }

  /** Starts both before the tests of the suite, and ends them afterwards. Without a browser the tests are skipped. */
  use(): void {
    const start = async (): Promise<boolean> => {
      const tool = await findChromium().catch((error: unknown) => {
        process.stdout.write(`    skipped: ${messageOf(error)}\n`);
        return null;
      });
      this.#browser = tool && (await openChromium(tool));
      return tool !== null;
    };
    before('the browser is here', async function () {
      this.timeout(FIND_MS_MAX);
      if (!(await start())) this.skip();
    });
    this.#world.use();
    const endVisits = (title: string | null): Promise<void> => this.#endVisits(title);
    afterEach('a failure keeps its picture', async function () {
      await endVisits(this.currentTest?.state === 'failed' ? this.currentTest.title : null);
    });
    after('the browser ends', () => this.#browser?.close());
  }

  /** A visit of one person. */
  async visit(options: Omit<VisitOptions, 'url'> = {}): Promise<Visit> {
    if (this.#browser === null) throw new Error('there is no browser');
    const opened = await Visit.open(this.#browser, { url: this.#world.url, ...options });
    this.#visits.push(opened);
    return opened;
  }

  /** A visit of the page `/try` with a session of an app, where the placement of a format is chosen. */
  async tryApp(
    app: AppEntry,
    format: Format,
    options: Omit<VisitOptions, 'url'> = {},
  ): Promise<{ readonly visited: Visit; readonly page: TryPage }> {
    const visited = await this.visit(options);
    const page = new TryPage(visited);
    await page.open();
    await page.start(app);
    await page.choose(format);
    return { visited, page };
  }

  /** What the product has counted for an app. */
  async counted(app: AppEntry): Promise<Seen> {
    const [row] = await this.#world.rows('app', (one) => one.app === app.id);
    if (row === undefined) return NOTHING;
    const { requests, fills, impressions, clicks, rewards, fallbacks } = row;
    return { requests: requests ?? 0, fills, impressions, clicks, rewards, fallbacks: fallbacks ?? 0 };
  }

  /** The page, the report and the test agree. */
  async expectCounted(app: AppEntry, visited: Visit, wanted: Partial<Seen>): Promise<void> {
    const all = { ...NOTHING, ...wanted };
    const isSeen = async (): Promise<boolean> => JSON.stringify(await visited.seen()) === JSON.stringify(all);
    await becomes(WAIT_MS_MAX, isSeen);
    expect(await visited.seen(), 'what the page saw').to.deep.equal(all);
    expect(await this.counted(app), 'what the report has').to.deep.equal(all);
  }

  /** Ends the visits of a test. `failed`: its title when it has failed, so that pictures of its pages are kept. */
  async #endVisits(failed: string | null): Promise<void> {
    for (const [index, visit] of this.#visits.splice(0).entries()) {
      if (failed !== null) {
        const file = await visit.keepPicture(`${failed} ${index + 1}`).catch(messageOf);
        process.stdout.write(
          `    picture: ${file}\n    complaints: ${visit.complaints.join('; ') || 'none'}\n`,
        );
      }
      await visit.close();
    }
  }
}

/** The browser has complained about nothing else than what is expected. */
export function expectNoComplaints({ complaints }: Visit, expected: RegExp | null = null): void {
  const unexpected = complaints.filter((text) => expected === null || !expected.test(text));
  expect(unexpected, 'complaints of the browser').to.deep.equal([]);
}
