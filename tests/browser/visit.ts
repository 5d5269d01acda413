import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContext, Locator, Page, Request, Response, Route } from 'playwright-core';
import { becomes } from '../driver/phone.js';
import { ROOT } from '../driver/placard.js';
import type { AnswerBody } from '../driver/wire.js';

/** What a page has seen of the API, counted as a report counts. */
export interface Seen {
  readonly requests: number;
  readonly fills: number;
  readonly impressions: number;
  readonly clicks: number;
  readonly rewards: number;
  readonly fallbacks: number;
}

/** Options of {@link openVisit}. */
export interface VisitOptions {
  /** The address of the product. */
  readonly url: string;
  /**
   * Answers the files of ads, which stand on another host; default: with the test ad of the format. Null: no other host is
   * answered, and the browser caches files.
   */
  readonly files?: ((route: Route) => Promise<void>) | null;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Pixels of a picture for each pixel of the page; default: 1. */
  readonly scale?: number;
  /** Whether the test moves the clock of the page. */
  readonly movesClock?: boolean;
}

const PICTURES = path.join(ROOT, '.data', 'browser');
const SHOP = '<!doctype html><html lang="en"><title>Shop</title><p>The page of the advertiser</p></html>';
const VIEWPORT = { width: 1280, height: 800 };
/** Time until what must come has come, in milliseconds. */
const WAIT_MS_MAX = 15_000;
/** Time until the scripts of a page run, in milliseconds. */
const READY_MS_MAX = 5_000;

/** A visit of one person: a browser without history, its page, and what was seen there. */
export class Visit {
  readonly url: string;
  /** What the browser complained about: errors of scripts, messages in its console, breaches of the page's policy. */
  readonly complaints: string[] = [];
  /** Calls of the API that were sent: path, in order. */
  readonly calls: string[] = [];
  readonly #answers: Promise<readonly [call: string, answer: AnswerBody | null]>[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    { url }: VisitOptions,
  ) {
    this.url = url;
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.complaints.push(message.text());
    });
    context.on('weberror', (error) => this.complaints.push(String(error.error())));
    context.on('request', (request) => {
      const call = callOf(request);
      if (call !== null) this.calls.push(call);
    });
    context.on('response', (response) => {
      const call = callOf(response.request());
      if (call !== null) this.#answers.push(bodyOf(response).then((body) => [call, body]));
    });
  }

  /** Opens a browser without history. Its other hosts are answered by the test. */
  static async open(browser: Browser, options: VisitOptions): Promise<Visit> {
    const context = await browser.newContext({
      viewport: VIEWPORT,
      deviceScaleFactor: options.scale ?? 1,
      extraHTTPHeaders: { ...options.headers },
    });
    context.setDefaultTimeout(WAIT_MS_MAX);
    const { files = testAd(options.url) } = options;
    if (files !== null) {
      await context.route('https://cdn.example.com/**', files);
      await context.route('https://shop.example.com/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: SHOP }),
      );
    }
    if (options.movesClock === true) await context.clock.install();
    return new Visit(context, await context.newPage(), options);
  }

  /**
   * Loads an address with all of its files, until a part shows that its scripts run. A busy gateway refuses pages first, and
   * then the address is loaded again, as a person would do.
   */
  async load(address: string, ready: Locator): Promise<void> {
    const page = ready.page();
    const complaints = this.complaints.length;
    let isComplete = false;
    const look = (response: Response): void => {
      if (response.status() >= 500) isComplete = false;
    };
    page.on('response', look);
    const isLoaded = await becomes(WAIT_MS_MAX, async () => {
      isComplete = true;
      this.complaints.length = complaints;
      // An address that differs only behind its # would not load the page anew.
      await page.goto('about:blank');
      await page.goto(address);
      const isReady = await ready.waitFor({ timeout: READY_MS_MAX }).then(
        () => true,
        () => false,
      );
      return isReady && isComplete;
    });
    page.off('response', look);
    if (!isLoaded)
      throw new Error(`The page was not loaded with all of its files: ${new URL(address).pathname}`);
  }

  /** What the answers of the API have said so far. A click that was accepted twice would count twice. */
  async seen(): Promise<Seen> {
    const answers = await Promise.all(this.#answers);
    const count = (call: string, isCounted: (answer: AnswerBody) => boolean): number =>
      answers.filter(([one, answer]) => one === call && answer !== null && isCounted(answer)).length;
    const isAccepted = ({ status }: AnswerBody): boolean => status === 'accepted';
    return {
      requests: count('ads/request', ({ status }) => status === 'fill' || status === 'no_fill'),
      fills: count('ads/request', ({ status }) => status === 'fill'),
      impressions: count('events/impression', isAccepted),
      clicks: count('events/click', isAccepted),
      rewards: count('events/reward', (answer) => isAccepted(answer) && answer.rewarded),
      fallbacks: count('events/fallback', isAccepted),
    };
  }

  /** Holds back the calls of a path, such as `ads/request`, until the returned function is called. */
  async hold(call: string): Promise<() => void> {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await this.page.route(`**/v1/${call}`, (route) => released.then(() => route.continue()));
    return () => release();
  }

  /** Resolves when the page has been painted twice: then what a change on it brings about has begun. */
  async painted(): Promise<void> {
    await this.page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    );
  }

  /** Does something that opens a tab, and returns the tab's address when it is loaded. Closes the tab. */
  async openedBy(act: () => Promise<void>): Promise<{ readonly url: string; readonly hasOpener: boolean }> {
    const [tab] = await Promise.all([this.context.waitForEvent('page'), act()]);
    await tab.waitForLoadState();
    const opened = { url: tab.url(), hasOpener: await tab.evaluate<boolean>('window.opener !== null') };
    await tab.close();
    return opened;
  }

  /** Keeps a picture of the newest page under `.data/browser`, and returns its path from the root. */
  async keepPicture(name: string): Promise<string> {
    await mkdir(PICTURES, { recursive: true });
    const file = path.join(PICTURES, `${name.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()}.png`);
    await this.context.pages().at(-1)?.screenshot({ path: file });
    return path.relative(ROOT, file);
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

/** Answers a file of an ad with the product's test ad of about that shape. */
function testAd(url: string): (route: Route) => Promise<void> {
  return async (route) => {
    const wanted = route.request().url();
    const picture = /banner|x(50|90|100)[.]/.test(wanted) ? 'banner.png' : 'interstitial.png';
    const file = wanted.endsWith('.mp4') ? 'rewarded.mp4' : picture;
    await route.fulfill({ response: await route.fetch({ url: `${url}/creatives/test/${file}` }) });
  };
}

/** The call of the API, such as `ads/request`; null for other requests. */
function callOf(request: Request): string | null {
  return /\/v1\/((?:sdk|ads|events)\/\w+)$/.exec(request.url())?.[1] ?? null;
}

async function bodyOf(response: Response): Promise<AnswerBody | null> {
  try {
    return (await response.json()) as AnswerBody;
  } catch {
    // The page was closed, or the network was cut, before the whole answer came.
    return null;
  }
}
