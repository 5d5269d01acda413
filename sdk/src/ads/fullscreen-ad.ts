import { nextState, type AdState, type AdStep } from '../domain/ad-state.js';
import { PlacardError } from '../domain/errors.js';
import { leftMs } from '../domain/time.js';
import { Listeners } from '../io/listeners.js';
import type { Outbox } from '../io/outbox.js';
import type { Platform } from '../io/platform.js';
import { Impression } from './impression.js';
import type { LoadedAd, Loader, LoadOutcome, NoAd } from './loader.js';

/**
 * Draws a full-screen ad and resolves when the user has closed it. It calls `impression.shown()` when the ad is on screen,
 * `clicked()` on a tap, and `completed(true)` when a rewarded ad has ended. It rejects when the ad cannot be drawn.
 */
export type FullscreenView = (impression: Impression) => Promise<void>;

/** How a full-screen ad ended. */
export interface ShowOutcome {
  /** True: grant the reward. Always false for an interstitial. */
  readonly isRewarded: boolean;
  /** Set when the ad could not be drawn: the app may use its fallback. */
  readonly noAd: NoAd | null;
}

/** Dependencies of {@link FullscreenAd}. */
export interface AdDeps {
  readonly loader: Loader;
  readonly outbox: Outbox;
  readonly platform: Platform;
}

/** An interstitial or a rewarded ad of one placement. It is loaded ahead and shown once; then it can be loaded again. */
export class FullscreenAd {
  readonly #deps: AdDeps;
  readonly #code: string;
  readonly #states = new Listeners<AdState>();
  #state: AdState = 'idle';
  #loaded: LoadedAd | null = null;
  #loading: Promise<LoadOutcome> | null = null;
  #cancelExpiry: () => void = () => undefined;

  constructor(deps: AdDeps, code: string) {
    this.#deps = deps;
    this.#code = code;
  }

  /** The present state. */
  get state(): AdState {
    this.#expireIfOver();
    return this.#state;
  }

  /** Calls back on each change of state, until the returned function is called. */
  onState(changed: (state: AdState) => void): () => void {
    return this.#states.add(changed);
  }

  /** Loads an ad. While one is loading or ready, that one is the outcome. Rejects while an ad is on screen, and as {@link Loader.load} does. */
  async load(): Promise<LoadOutcome> {
    // First, because a listener may load the next ad when this one has expired.
    this.#expireIfOver();
    if (this.#loading !== null) return this.#loading;
    if (this.#loaded !== null) return { loaded: this.#loaded, noAd: null };
    this.#step('load');
    this.#loading = this.#load().finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  /**
   * Shows the loaded ad and resolves when it is closed. Rejects with `wrong_state` when none is ready, and with
   * `validation_failed` for a view that is no function; the ad stays ready then.
   */
  async show(view: FullscreenView): Promise<ShowOutcome> {
    if (typeof view !== 'function') {
      throw new PlacardError('validation_failed', `The view of ${this.#code} is not a function; pass one.`);
    }
    this.#expireIfOver();
    const loaded = this.#loaded;
    if (loaded === null) throw this.#wrongState('show');
    this.#step('show');
    this.#cancelExpiry();
    this.#loaded = null;
    const impression = new Impression(this.#deps.outbox, loaded, this.#deps.platform.clock);
    try {
      await view(impression);
      return { isRewarded: await impression.completed(false), noAd: null };
    } catch {
      // What was on screen was shown, however it ended. The app needs a fallback only for an ad that never was.
      const noAd = impression.isShown ? null : await this.#deps.loader.failed(this.#code, loaded);
      return { isRewarded: await impression.completed(false), noAd };
    } finally {
      this.#step('close');
    }
  }

  async #load(): Promise<LoadOutcome> {
    try {
      const outcome = await this.#deps.loader.load(this.#code, 'fullscreen');
      this.#loaded = outcome.loaded;
      this.#step(outcome.loaded === null ? 'not_loaded' : 'loaded');
      this.#expireIfOver();
      return outcome;
    } catch (error) {
      this.#step('not_loaded');
      throw error;
    }
  }

  /** Timers sleep with the phone, so the expiry is also looked at before each use. An ad of a closed client expires at once. */
  #expireIfOver(): void {
    if (this.#state !== 'ready' || this.#loaded === null) return;
    this.#cancelExpiry();
    const { loader, platform } = this.#deps;
    const restMs = loader.isClosed ? 0 : leftMs(platform.clock, this.#loaded.life);
    if (restMs > 0) {
      this.#cancelExpiry = loader.after(restMs, () => this.#expireIfOver());
      return;
    }
    this.#loaded = null;
    this.#step('expire');
  }

  #step(step: AdStep): void {
    const next = nextState(this.#state, step);
    if (next === null) throw this.#wrongState(step);
    this.#state = next;
    this.#states.call(next);
  }

  #wrongState(step: AdStep): PlacardError {
    return new PlacardError(
      'wrong_state',
      `The ad of ${this.#code} is ${this.#state}; it cannot ${step} now.`,
    );
  }
}
