import type { Clock } from '../domain/time.js';
import type { Ad } from '../domain/wire.js';

/** Foreground and background of the app. */
export interface Visibility {
  readonly isVisible: () => boolean;
  /** Calls back on each change, until the returned function is called. */
  readonly onChange: (changed: () => void) => () => void;
}

/** What the SDK uses of the device. {@link detectPlatform} finds it; an app or a test may replace each part. */
export interface Platform {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly random: () => number;
  readonly visibility: Visibility;
  /** Calls back once after `ms`, unless the returned function is called first. */
  readonly after: (ms: number, then: () => void) => () => void;
  /** Downloads the file of an ad, so that it is in the cache when it is drawn. Rejects when it cannot be loaded. */
  readonly download: (ad: Ad, signal: AbortSignal) => Promise<void>;
}

/** The members of a browser's `document` that the SDK uses. */
interface Page {
  readonly visibilityState: string;
  addEventListener(type: 'visibilitychange', changed: () => void): void;
  removeEventListener(type: 'visibilitychange', changed: () => void): void;
}

/** Node.js accepts no longer timer. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** The platform of this process: a browser, React Native, Capacitor or Node.js. */
export function detectPlatform(): Platform {
  // Called as a method of its own object: browsers refuse it on any other.
  const send: typeof globalThis.fetch = (...args) => globalThis.fetch(...args);
  const { document: page } = globalThis as { readonly document?: Page };
  return {
    fetch: send,
    clock: { wallMs: Date.now, steadyMs: () => performance.now() },
    random: Math.random,
    visibility: page === undefined ? ALWAYS_VISIBLE : pageVisibility(page),
    after: (ms, then) => {
      const timer = setTimeout(then, Math.min(ms, TIMER_MS_MAX));
      return () => clearTimeout(timer);
    },
    download: async ({ creative_url: url }, signal) => {
      // Creative files may stand on any host. A browser lets a page load such a file, but not read it.
      const response = await send(url, { signal, mode: 'no-cors' });
      if (response.type !== 'opaque' && !response.ok) throw new Error(`status ${response.status}`);
      await response.arrayBuffer();
    },
  };
}

/** For platforms that do not tell, such as Node.js. In React Native, wrap `AppState`: docs/sdk.md. */
const ALWAYS_VISIBLE: Visibility = { isVisible: () => true, onChange: () => () => undefined };

function pageVisibility(page: Page): Visibility {
  return {
    isVisible: () => page.visibilityState === 'visible',
    onChange: (changed) => {
      page.addEventListener('visibilitychange', changed);
      return () => page.removeEventListener('visibilitychange', changed);
    },
  };
}
