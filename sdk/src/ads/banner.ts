import { PlacardError } from '../domain/errors.js';
import { leftMs, type Span } from '../domain/time.js';
import type { Sessions } from '../io/sessions.js';
import type { AdDeps } from './fullscreen-ad.js';
import { Impression } from './impression.js';
import type { LoadedAd, LoadOutcome, NoAd } from './loader.js';

/** The place of a banner on the screen. */
export interface BannerView {
  /** Draws an ad in place of the last one. It calls `impression.shown()` when the ad is on screen. Rejects when it cannot. */
  readonly draw: (impression: Impression) => Promise<void>;
  /**
   * There is no ad: removes the last one. The app may show its fallback in its place. Null: the last one has expired in the
   * background, and another one is being loaded.
   */
  readonly clear: (noAd: NoAd | null) => void;
}

/** Dependencies of {@link Banner}. */
export interface BannerDeps extends AdDeps {
  readonly sessions: Sessions;
}

/** Shortest refresh that the contract allows, in milliseconds. However short an ad lives, it is not replaced earlier. */
const REFRESH_MS_MIN = 30_000;

/**
 * A banner that is replaced every `banner_refresh_seconds` while the app is in the foreground. In the background it rests;
 * back in the foreground it is replaced when its time is over.
 */
export class Banner {
  readonly #deps: BannerDeps;
  readonly #code: string;
  readonly #view: BannerView;
  #isRunning = false;
  #round = 0;
  #cancelTimer: () => void = () => undefined;
  #stopWatching: () => void = () => undefined;
  #isDue = false;
  /** The life of the ad in place; null without one. */
  #life: Span | null = null;

  /** Throws `validation_failed` for a view without `draw` or `clear`. */
  constructor(deps: BannerDeps, code: string, view: BannerView) {
    const { draw, clear } = Object(view) as Partial<BannerView>;
    if (typeof draw !== 'function' || typeof clear !== 'function') {
      throw new PlacardError(
        'validation_failed',
        `The view of banner ${code} has no draw or clear; pass an object with both functions.`,
      );
    }
    this.#deps = deps;
    this.#code = code;
    this.#view = view;
  }

  /** Shows the first ad and keeps replacing it. Resolves after the first load. Rejects as {@link Loader.load} does. */
  async start(): Promise<LoadOutcome | null> {
    if (this.#isRunning) return null;
    this.#isRunning = true;
    const { loader, platform } = this.#deps;
    const forget = loader.onClose(() => this.stop());
    const unwatch = platform.visibility.onChange(() => this.#resume());
    this.#stopWatching = () => {
      forget();
      unwatch();
    };
    try {
      return await this.#replace();
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  /** Replaces no ad from now on. The last one stays until the app removes its place. A closed client stops its banners. */
  stop(): void {
    this.#isRunning = false;
    this.#isDue = false;
    this.#round += 1;
    this.#cancelTimer();
    this.#stopWatching();
  }

  #resume(): void {
    if (this.#isDue && this.#deps.platform.visibility.isVisible()) void this.#replaceQuietly();
  }

  async #replaceQuietly(): Promise<void> {
    try {
      if (this.#life !== null && leftMs(this.#deps.platform.clock, this.#life) === 0) this.#clear(null);
      await this.#replace();
    } catch {
      // The first load was right. So the placement was removed or has another format, or the client is closed.
      this.stop();
    }
  }

  async #replace(): Promise<LoadOutcome> {
    this.#isDue = false;
    this.#round += 1;
    const round = this.#round;
    const outcome = await this.#deps.loader.load(this.#code, 'banner');
    // Stopped meanwhile: the ad was never on screen.
    if (round !== this.#round) return outcome;
    if (outcome.loaded === null) this.#clear(outcome.noAd);
    else await this.#draw(outcome.loaded, round);
    if (round === this.#round) this.#scheduleNext(outcome);
    return outcome;
  }

  async #draw(loaded: LoadedAd, round: number): Promise<void> {
    const { outbox, loader, platform } = this.#deps;
    try {
      await this.#view.draw(new Impression(outbox, loaded, platform.clock));
      this.#life = loaded.life;
    } catch {
      // Stopped meanwhile: the place may be gone, and the app needs no fallback.
      if (round !== this.#round) return;
      const noAd = await loader.failed(this.#code, loaded);
      if (round === this.#round) this.#clear(noAd);
    }
  }

  #clear(noAd: NoAd | null): void {
    this.#life = null;
    this.#view.clear(noAd);
  }

  #scheduleNext(outcome: LoadOutcome): void {
    const { platform, sessions } = this.#deps;
    const placement = sessions.last?.placements.find(({ code }) => code === this.#code);
    const refreshMs = (placement?.banner_refresh_seconds ?? 0) * 1_000;
    const lifeMs = outcome.loaded === null ? refreshMs : leftMs(platform.clock, outcome.loaded.life);
    const retryMs = outcome.noAd?.error?.retryAfterMs ?? 0;
    const waitMs = Math.max(Math.min(refreshMs, lifeMs), REFRESH_MS_MIN, retryMs);
    this.#cancelTimer();
    this.#cancelTimer = platform.after(waitMs, () => {
      this.#isDue = true;
      this.#resume();
    });
  }
}
