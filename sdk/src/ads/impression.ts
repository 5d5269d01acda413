import { leftMs, type Clock } from '../domain/time.js';
import type { Outbox } from '../io/outbox.js';
import type { LoadedAd } from './loader.js';

/**
 * What the view of an ad on screen reports. Each method may be called often and reports once: views repaint, and users tap
 * twice.
 */
export class Impression {
  readonly #outbox: Outbox;
  readonly #loaded: LoadedAd;
  readonly #clock: Clock;
  #isShown = false;
  #isClicked = false;
  #completion: boolean | null = null;

  constructor(outbox: Outbox, loaded: LoadedAd, clock: Clock) {
    this.#outbox = outbox;
    this.#loaded = loaded;
    this.#clock = clock;
  }

  /** The ad to draw. */
  get ad(): LoadedAd['ad'] {
    return this.#loaded.ad;
  }

  /** The request's id, for questions to the operator. */
  get requestId(): string {
    return this.#loaded.requestId;
  }

  /** True once the ad was on screen. */
  get isShown(): boolean {
    return this.#isShown;
  }

  /**
   * The ad is on screen. Resolves once the impression is stored on the device. It does nothing when the ad has expired by then;
   * `isShown` stays false.
   */
  async shown(): Promise<void> {
    if (this.#isShown || leftMs(this.#clock, this.#loaded.life) === 0) return;
    this.#isShown = true;
    await this.#add('impression', false);
  }

  /** The user has tapped. Resolves with the page to open, once the click is stored. A tap on an unseen ad is no click. */
  async clicked(): Promise<string> {
    if (this.#isShown && !this.#isClicked) {
      this.#isClicked = true;
      await this.#add('click', false);
    }
    return this.ad.click_url;
  }

  /**
   * The user has seen a rewarded ad to its end (true), or left earlier (false). The first call counts. Resolves with what
   * counts: grant the reward when it is true.
   */
  async completed(completion: boolean): Promise<boolean> {
    if (this.ad.format !== 'rewarded' || !this.#isShown) return false;
    if (this.#completion === null) {
      this.#completion = completion;
      await this.#add('reward', completion);
    }
    return this.#completion;
  }

  #add(kind: 'impression' | 'click' | 'reward', completion: boolean): Promise<void> {
    const { requestId, ad } = this.#loaded;
    return this.#outbox.add({ kind, requestId, impressionToken: ad.impression_token, completion });
  }
}
