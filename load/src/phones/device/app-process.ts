import { Placard, type EventStore, type QueuedEvent } from '@placard/sdk';
import type { Book } from '../domain/book.js';
import type { Profile } from '../domain/population.js';
import type { Air } from './air.js';
import type { PhoneClock } from './phone-clock.js';

/** What a process of the app uses of its phone. */
export interface AppDeps {
  readonly baseUrl: string;
  readonly profile: Profile;
  readonly clock: PhoneClock;
  readonly air: Air;
  readonly book: Book;
  /** The phone's storage: events by their id. It outlives the process. */
  readonly disk: Map<string, QueuedEvent>;
  /** An event was written to the storage. */
  readonly onStored: (event: QueuedEvent) => void;
  /** An event was removed from the storage. */
  readonly onRemoved: () => void;
  /** Error of the phone's clock now, in milliseconds. */
  readonly clockErrorMs: () => number;
}

/** The phone's wall clock at the start of a run, epoch milliseconds. The SDK takes the time of the server from its answers. */
const WALL_START_MS = Date.UTC(2026, 0, 1, 12);
/** Package name of a copied app. */
const PIRATE = 'com.example.copied';

/**
 * One process of an app with its SDK, from its start to its end. When it is killed, its memory is gone: no promise of its SDK
 * resolves any more, and no timer rings. What it has sent still arrives at the server.
 */
export class AppProcess {
  readonly placard: Placard;
  readonly #deps: AppDeps;
  readonly #watchers = new Set<() => void>();
  #isVisible = true;
  #isDead = false;
  #requests = 0;
  #session = '';

  constructor(deps: AppDeps) {
    this.#deps = deps;
    const { baseUrl, profile, air, clock, book, clockErrorMs } = deps;
    this.placard = new Placard({
      baseUrl,
      appKey: profile.app.app_key,
      packageName: profile.role === 'pirate' ? PIRATE : profile.app.package_name,
      appVersion: profile.appVersion,
      osVersion: profile.androidVersion,
      androidVersion: profile.androidVersion,
      language: profile.language,
      screen: profile.screen,
      testMode: profile.role === 'developer',
      eventStore: this.#store(),
      platform: {
        fetch: (url, init = {}) => this.#alive(air.call(url as string, init)),
        clock: {
          wallMs: () => WALL_START_MS + clockErrorMs() + clock.now(),
          steadyMs: () => clock.now(),
        },
        after: (ms, then) =>
          clock.after(ms, () => {
            if (!this.#isDead) then();
          }),
        visibility: {
          isVisible: () => this.#isVisible,
          onChange: (changed) => {
            this.#watchers.add(changed);
            return () => this.#watchers.delete(changed);
          },
        },
        download: (_ad, signal) => this.#alive(air.load(signal)),
      },
      onCall: ({ path }) => {
        if (path === '/ads/request') this.#requests += 1;
      },
    });
    this.placard.onSession(({ token }) => {
      if (this.#session !== token) this.#requests = 0;
      this.#session = token;
    });
    this.placard.onEvent(({ event, isAccepted, reason }) => {
      if (event.kind !== 'fallback') book.settled(event.kind, event.requestId, { isAccepted, reason });
    });
  }

  /** Ad requests of the present session. */
  get requests(): number {
    return this.#requests;
  }

  /** Resolves after `ms` of the phone's time, unless the process ends before. */
  pass(ms: number): Promise<void> {
    return this.#alive(this.#deps.clock.pass(ms));
  }

  /** Brings the app to the foreground or the background. */
  turn(isVisible: boolean): void {
    if (this.#isVisible === isVisible) return;
    this.#isVisible = isVisible;
    for (const changed of [...this.#watchers]) changed();
  }

  /** Ends the process in the middle of what it does. */
  kill(): void {
    this.#isDead = true;
    this.placard.close();
  }

  /** The phone's storage, as long as the process lives. Writing takes no time: a phone's disk is faster than its network. */
  #store(): EventStore {
    const { disk, onStored, onRemoved } = this.#deps;
    return {
      list: () => this.#alive(Promise.resolve([...disk.values()])),
      put: (event) => {
        if (!this.#isDead) {
          disk.set(event.id, event);
          onStored(event);
        }
        return this.#alive(Promise.resolve());
      },
      remove: (id) => {
        if (!this.#isDead && disk.delete(id)) onRemoved();
        return this.#alive(Promise.resolve());
      },
    };
  }

  /** The same promise, but one that never settles once the process is dead. */
  async #alive<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      if (this.#isDead) await new Promise<never>(() => undefined);
    }
  }
}
