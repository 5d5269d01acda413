import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { CODE_OF, type AppEntry } from '../driver/catalog.js';
import type { Visit } from './visit.js';

const HTML = readFileSync(new URL('./test-app.html', import.meta.url), 'utf8');

/** An app on a page: what an integrator writes by docs/sdk.md. Its events survive its end. */
export class TestApp {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Opens the app in a page of the visit. Its full-screen ad is the interstitial. */
  static async open(visit: Visit, app: AppEntry, page: Page = visit.page): Promise<TestApp> {
    const { app_key: key, package_name } = app;
    const query = new URLSearchParams({ key, package: package_name, placement: CODE_OF.interstitial });
    await page.route('**/test-app?**', (route) => route.fulfill({ contentType: 'text/html', body: HTML }));
    await visit.load(`${visit.url}/test-app?${query.toString()}`, page.getByText('The ad is idle'));
    return new TestApp(page);
  }

  /** Presses a button of the app. */
  async press(name: 'Load' | 'Show' | 'Start the banner'): Promise<void> {
    await this.#page.getByRole('button', { name }).click();
  }

  /** Opens or shuts the place of the banner, and brings it into view. */
  async giveBanner(height: '0' | '50px'): Promise<void> {
    await this.#page.evaluate(`{
      const { style } = document.querySelector('#banner');
      style.height = '${height}';
      window.scrollTo(0, document.documentElement.scrollHeight);
    }`);
  }

  /** Shows the ad while the page is scrolled, so that the focused button is not in view. */
  async showScrolled(top: number): Promise<void> {
    await this.#page.evaluate(`{
      const button = document.querySelector('#show');
      button.focus();
      window.scrollTo(0, ${top});
      button.click();
    }`);
  }

  /** Waits until the ad has this state, or a call was refused with this code. */
  async says(state: string): Promise<void> {
    await this.#page.getByRole('status').filter({ hasText: state }).waitFor();
  }

  /** The final answers to events, the oldest first. */
  events(): Promise<readonly string[]> {
    return this.#page.getByRole('list', { name: 'events' }).getByRole('listitem').allTextContents();
  }

  /** Waits until an event is answered finally, such as `impression accepted`. */
  async settles(event: string, count = 1): Promise<void> {
    const items = this.#page.getByRole('listitem').filter({ hasText: event });
    await items.nth(count - 1).waitFor();
  }

  get ad(): Locator {
    return this.#page.getByRole('link', { name: 'Advertisement' });
  }

  get closeButton(): Locator {
    return this.#page.getByRole('button', { name: 'Close the ad' });
  }
}
