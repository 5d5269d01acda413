import type { Platform } from '../src/index.js';

/** A request that reached the pretended server. */
export interface Received {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly atMs: number;
}

/** What the pretended server does with a request: an answer, or `lost` when none arrives. */
export type Handler = (received: Received) => Answer | 'lost' | 'silent';

/** An answer of the pretended server. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** Seconds, or a date. */
  readonly retryAfter?: number | string;
}

interface Timer {
  readonly atMs: number;
  readonly then: () => void;
}

/** Promise callbacks that may follow each other at one moment. */
const TURNS = 60;

/** A device whose clocks, network and screen a test moves. */
export class Device {
  nowMs = Date.parse('2026-11-01T12:00:00Z');
  steadyMs = 1_000;
  /** Difference of the server's clock to the device's. */
  serverAheadMs = 0;
  isVisible = true;
  readonly received: Received[] = [];
  readonly downloads: string[] = [];
  /** Files that cannot be loaded. */
  readonly broken = new Set<string>();
  /** No download ends, whatever its signal says. */
  isDownloadHung = false;
  handle: Handler = () => 'lost';
  readonly #timers = new Set<Timer>();
  readonly #watchers = new Set<() => void>();

  readonly platform: Platform = {
    fetch: (url, init) => this.#fetch(url as string, init!),
    clock: { wallMs: () => this.nowMs, steadyMs: () => this.steadyMs },
    random: () => 0,
    visibility: {
      isVisible: () => this.isVisible,
      onChange: (changed) => {
        this.#watchers.add(changed);
        return () => this.#watchers.delete(changed);
      },
    },
    after: (ms, then) => {
      const timer = { atMs: this.steadyMs + ms, then };
      this.#timers.add(timer);
      return () => this.#timers.delete(timer);
    },
    download: ({ creative_url: url }) => {
      this.downloads.push(url);
      if (this.isDownloadHung) return new Promise(() => undefined);
      return this.broken.has(url) ? Promise.reject(new Error('not found')) : Promise.resolve();
    },
  };

  /** What would keep a process alive: timers and listeners. */
  get held(): number {
    return this.#timers.size + this.#watchers.size;
  }

  /** Requests for one path. */
  requests(path: string): readonly Received[] {
    return this.received.filter((one) => one.path === path);
  }

  /** Timers that wait: they keep a process alive. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Those who watch whether the app is in the foreground. */
  get watchers(): number {
    return this.#watchers.size;
  }

  /** Lets time pass, with its timers in order. */
  async pass(ms: number): Promise<void> {
    const endMs = this.steadyMs + ms;
    await settle();
    for (;;) {
      const [next] = [...this.#timers].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#move(Math.max(0, next.atMs - this.steadyMs));
      next.then();
      await settle();
    }
    this.#move(endMs - this.steadyMs);
  }

  /** Brings the app to the foreground or the background. */
  async turn(isVisible: boolean): Promise<void> {
    this.isVisible = isVisible;
    for (const changed of [...this.#watchers]) changed();
    await settle();
  }

  #move(ms: number): void {
    this.steadyMs += ms;
    this.nowMs += ms;
  }

  #fetch(url: string, init: RequestInit): Promise<Response> {
    const body = JSON.parse(init.body as string) as Readonly<Record<string, unknown>>;
    const received = { path: new URL(url).pathname.replace('/v1', ''), body, atMs: this.steadyMs };
    this.received.push(received);
    const answer = this.handle(received);
    if (answer === 'lost') return Promise.reject(new TypeError('fetch failed'));
    if (answer === 'silent') {
      return new Promise((_, reject) => {
        init.signal!.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      });
    }
    const headers = new Headers({ date: new Date(this.nowMs + this.serverAheadMs).toUTCString() });
    if (answer.retryAfter !== undefined) headers.set('retry-after', String(answer.retryAfter));
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    return Promise.resolve(new Response(text, { status: answer.status, headers }));
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
