import { Banner, type BannerView } from './ads/banner.js';
import { FullscreenAd } from './ads/fullscreen-ad.js';
import { Loader } from './ads/loader.js';
import { Api, type CallRecord } from './io/api.js';
import { detectStore, type EventStore } from './io/event-store.js';
import { Listeners } from './io/listeners.js';
import { Outbox, type EventOutcome } from './io/outbox.js';
import { detectPlatform, type Platform } from './io/platform.js';
import { Sessions, type Session } from './io/sessions.js';

/** Options of {@link Placard}. */
export interface PlacardOptions {
  /** With the version segment, such as `https://ads.example.com/v1`. */
  readonly baseUrl: string;
  /** Public key of the app: `app_` and 24 letters or digits. */
  readonly appKey: string;
  /** Application id as registered, such as `com.example.game`. */
  readonly packageName: string;
  /** Test ads only, which are never billed. Default: false. */
  readonly testMode?: boolean;
  /** Answers each ad request with the no-fill `test_no_fill`, to try the fallback. Default: false. */
  readonly testNoFill?: boolean;
  readonly appVersion?: string;
  readonly osVersion?: string;
  /** For targeting, such as `14`. Default: none. */
  readonly androidVersion?: string;
  /** Language of the content, such as `de` or `de-AT`. Default: the app's. */
  readonly language?: string;
  /** Pixels of the screen, so that banners fit and interstitials have its orientation. */
  readonly screen?: { readonly width: number; readonly height: number };
  /** Where unsent events wait. Default: the storage of the browser, otherwise memory. */
  readonly eventStore?: EventStore;
  /** Parts of the device to replace. */
  readonly platform?: Partial<Platform>;
  /** Called with each finished call, for an inspector. It sees tokens. */
  readonly onCall?: (call: CallRecord) => void;
}

/** Version of the SDK; sent as `sdk_version`. */
export const SDK_VERSION = '0.1.0';

/** Time budget of a call before the configuration is known, and of an event, in milliseconds. */
const CALL_TIMEOUT_MS = 10_000;

/** One app's client. Create one, keep it, and {@link close} it only when the app no longer shows ads. */
export class Placard {
  readonly #platform: Platform;
  readonly #sessions: Sessions;
  readonly #outbox: Outbox;
  readonly #loader: Loader;
  readonly #onSession = new Listeners<Session>();
  readonly #onCall = new Listeners<CallRecord>();
  readonly #onOutcome = new Listeners<EventOutcome>();
  #opening: Promise<void> | null = null;
  #stopWatching: () => void = () => undefined;

  /** Throws a PlacardError `validation_failed` for a `baseUrl` that does not end in `/v1`. */
  constructor(options: PlacardOptions) {
    const platform = { ...detectPlatform(), ...options.platform };
    const { baseUrl, appKey, onCall } = options;
    if (onCall !== undefined) this.#onCall.add(onCall);
    const api = new Api({ baseUrl, platform, onCall: (call) => this.#onCall.call(call) });
    this.#platform = platform;
    this.#sessions = new Sessions({
      api,
      platform,
      request: initializeRequest(options),
      timeoutMs: CALL_TIMEOUT_MS,
      onSession: (session) => {
        void this.#open();
        this.#onSession.call(session);
      },
    });
    this.#outbox = new Outbox({
      api,
      sessions: this.#sessions,
      store: options.eventStore ?? detectStore(),
      platform,
      appKey,
      timeoutMs: CALL_TIMEOUT_MS,
      onOutcome: (outcome) => this.#onOutcome.call(outcome),
    });
    this.#loader = new Loader({
      api,
      sessions: this.#sessions,
      outbox: this.#outbox,
      platform,
      request: adRequest(options),
      appKey,
    });
  }

  /**
   * Starts the session and sends what an earlier run left. Ads start it by themselves; call it early, so that the first ad
   * need not wait. Rejects with a PlacardError; the next call tries again. Once the client is closed it is `wrong_state`.
   */
  async start(): Promise<Session> {
    this.#sessions.assertOpen();
    await this.#open();
    return this.#sessions.current();
  }

  /** The last session: configuration and placements. Null before the first. */
  get session(): Session | null {
    return this.#sessions.last;
  }

  /** An interstitial or rewarded ad of a placement. */
  fullscreen(placement: string): FullscreenAd {
    return new FullscreenAd(
      { loader: this.#loader, outbox: this.#outbox, platform: this.#platform },
      placement,
    );
  }

  /** A banner of a placement, drawn by `view`. Throws `validation_failed` when the view lacks a function. */
  banner(placement: string, view: BannerView): Banner {
    const [loader, outbox, platform, sessions] = [this.#loader, this.#outbox, this.#platform, this.#sessions];
    return new Banner({ loader, outbox, platform, sessions }, placement, view);
  }

  /** Calls back with each new session and each new configuration, until the returned function is called. */
  onSession(started: (session: Session) => void): () => void {
    return this.#onSession.add(started);
  }

  /** Calls back with the final answer to each event, until the returned function is called. */
  onEvent(settled: (outcome: EventOutcome) => void): () => void {
    return this.#onOutcome.add(settled);
  }

  /** Sends waiting events now, as when the network is back. */
  flush(): void {
    this.#outbox.flush();
  }

  /** Resolves when the server has answered all events. */
  drained(): Promise<void> {
    return this.#outbox.drained();
  }

  /** Ends timers and retries; no session and no ad is loaded from now on. Unsent events remain in their store. */
  close(): void {
    this.#stopWatching();
    this.#loader.close();
    this.#outbox.close();
    this.#sessions.close();
  }

  /** Takes over the events of an earlier run, once. */
  #open(): Promise<void> {
    if (this.#opening === null) {
      this.#stopWatching = this.#platform.visibility.onChange(() => this.#outbox.flush());
      this.#opening = this.#outbox.open();
    }
    return this.#opening;
  }
}

function initializeRequest(options: PlacardOptions): Readonly<Record<string, unknown>> {
  return {
    app_key: options.appKey,
    package_name: options.packageName,
    sdk_version: SDK_VERSION,
    app_version: options.appVersion ?? null,
    platform: 'android',
    os_version: options.osVersion ?? null,
    test_mode: options.testMode ?? false,
  };
}

function adRequest(options: PlacardOptions): Readonly<Record<string, unknown>> {
  return {
    language: options.language ?? null,
    android_version: options.androidVersion ?? null,
    app_version: options.appVersion ?? null,
    sdk_version: SDK_VERSION,
    screen_width: options.screen?.width ?? null,
    screen_height: options.screen?.height ?? null,
    test_mode: options.testMode ?? false,
    test_force_no_fill: options.testNoFill ?? false,
  };
}
