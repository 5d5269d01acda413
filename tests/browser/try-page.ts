import type { Locator } from 'playwright-core';
import { CODE_OF, type AppEntry, type Format } from '../driver/catalog.js';
import type { Visit } from './visit.js';

/** The page `/try`, used as a person uses it: by the labels of its parts. */
export class TryPage {
  readonly #visit: Visit;

  constructor(visit: Visit) {
    this.#visit = visit;
  }

  /** Opens the page, with an operator's key when one is given. */
  async open(operatorKey: string | null = null): Promise<void> {
    const { page, url } = this.#visit;
    // The page itself has no timers; its script adds them.
    await this.#visit.load(
      `${url}/try${operatorKey === null ? '' : `#key=${operatorKey}`}`,
      page.getByRole('term').first(),
    );
  }

  /** Types the app, and starts its session. */
  async start(
    app: AppEntry,
    options: { readonly test?: boolean; readonly noFill?: boolean } = {},
  ): Promise<void> {
    const { page } = this.#visit;
    await page.getByLabel('App key').fill(app.app_key);
    await page.getByLabel('Package').fill(app.package_name);
    if (options.test === true) await page.getByLabel('Test ads').check();
    if (options.noFill === true) await page.getByLabel('No ads').check();
    await this.startButton.click();
  }

  /** Chooses an app among those that the operator's key may list, and starts its session. */
  async startKnown(appId: string): Promise<void> {
    await this.#visit.page.getByRole('combobox', { name: 'App', exact: true }).selectOption(appId);
    await this.startButton.click();
  }

  /** Chooses the placement of a format, which waits until the session is there. */
  async choose(format: Format): Promise<void> {
    await this.#visit.page.getByLabel('Placement').selectOption(CODE_OF[format]);
  }

  get startButton(): Locator {
    return this.#visit.page.getByRole('button', { name: 'Start a session' });
  }

  /** Loads a full-screen ad. */
  get loadButton(): Locator {
    return this.#visit.page.getByRole('button', { name: 'Load', exact: true });
  }

  get bannerButton(): Locator {
    return this.#visit.page.getByRole('button', { name: 'Show the banner' });
  }

  get showButton(): Locator {
    return this.#visit.page.getByRole('button', { name: 'Show', exact: true });
  }

  /** Waits until the full-screen ad can be shown, or no longer can. */
  async isReady(ready: boolean): Promise<void> {
    const { page } = this.#visit;
    await page.getByRole('button', { name: 'Show', exact: true, disabled: !ready }).waitFor();
  }

  /** Waits until the button of the banner is at rest, or no longer is. */
  async isLoading(loading: boolean): Promise<void> {
    const { page } = this.#visit;
    await page.getByRole('button', { name: 'Show the banner', disabled: loading }).waitFor();
  }

  get phone(): Locator {
    return this.#visit.page.getByLabel('phone', { exact: true });
  }

  /** The ad on the phone. */
  get ad(): Locator {
    return this.phone.getByRole('link', { name: 'Advertisement' });
  }

  get closeButton(): Locator {
    return this.phone.getByRole('dialog').getByRole('button', { name: 'Close the ad' });
  }

  /** Waits until the page explains that a campaign was lost at a step. */
  async explains(campaign: string, step: string): Promise<void> {
    const lines = this.#visit.page.locator('li, tr');
    await lines.filter({ hasText: campaign }).filter({ hasText: step }).waitFor();
  }

  /** Waits until the page says beside the field of the operator's key why it is refused. */
  async refusesKey(text: RegExp): Promise<void> {
    await this.#visit.page.getByRole('alert').filter({ hasText: text }).waitFor();
  }

  /** Waits until a timer has a value. */
  async has(timer: string, value: string): Promise<void> {
    await this.#visit.page.locator(`dt:text-is("${timer}") + dd:text-is("${value}")`).waitFor();
  }

  /** Waits until the last event was answered finally, such as `impression accepted`. */
  async settles(event: string): Promise<void> {
    await this.#visit.page.getByRole('definition').filter({ hasText: event }).waitFor();
  }

  /** Waits until the page says a text about the ad. */
  async says(text: string | RegExp): Promise<void> {
    await this.#visit.page.getByRole('status').filter({ hasText: text }).waitFor();
  }
}
