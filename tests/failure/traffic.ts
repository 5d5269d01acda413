import type { Random } from '@placard/service-kit/pure';
import type { AppEntry } from '../driver/catalog.js';
import { freshAddress } from '../driver/phone.js';
import type { AnswerBody } from '../driver/wire.js';
import type { Book, EventKind } from './book.js';
import { outcomeOf, type Client, type Reply } from './client.js';
import { PLACEMENTS } from './market.js';

/** Behaviour of the phones. */
export interface TrafficOptions {
  /** Ad requests per second. Each leads to about two events. */
  readonly adsPerSecond: number;
  /** Longest that a phone keeps a fill before it shows it, milliseconds. */
  readonly holdMsMax: number;
}

/** What the phones need. */
export interface TrafficParts {
  readonly client: Client;
  readonly book: Book;
  readonly apps: readonly AppEntry[];
  readonly random: Random;
}

interface Phone {
  readonly app: AppEntry;
  readonly address: string;
  readonly token: string;
  adsLeft: number;
}

/** A fill with the fields of its events. */
interface Shown {
  readonly requestId: string;
  readonly token: string;
  readonly address: string;
  readonly isRewarded: boolean;
}

/** Ad requests of one phone: few enough for the limits per session. */
const ADS_PER_PHONE = 10;
const PHONES_MAX = 16;
/** Most phones that request or report at the same time. Phones that only hold a fill do not count. */
const BUSY_MAX = 120;
const BACKOFF_MS_MIN = 250;
/** Longest backoff. It keeps the attempts for one request id below 20 a minute. */
const BACKOFF_MS_MAX = 5_000;
const CLICK_DELAY_MS = 1_300;
const FALLBACK_TRIES_MAX = 4;

/** Phones that request ads at a steady rate and report events by the client rules of the contract. */
export class Traffic {
  readonly #parts: TrafficParts;
  readonly #options: TrafficOptions;
  readonly #phones: Phone[] = [];
  readonly #lives = new Set<Promise<void>>();
  /** Aborted at the end: phones that hold a fill show it now. */
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #busy = 0;
  /** Whether repeating events has ended. */
  #isOver = false;
  /** The first answer that the product must never give. */
  #fault: Error | null = null;

  constructor(parts: TrafficParts, options: TrafficOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => this.#begin(), 1_000 / this.#options.adsPerSecond);
  }

  /** Ends the requests, shows every held fill, and waits until each event is answered or `withinMs` is over. */
  async finish(withinMs: number): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#ending.abort();
    const over = new AbortController();
    await Promise.race([Promise.allSettled([...this.#lives]), pause(withinMs, over.signal)]);
    over.abort();
    this.#isOver = true;
    if (this.#fault !== null) throw this.#fault;
  }

  /** Lets a new phone get an ad and show it at once; null when there is no ad or the outcome is unknown. */
  async showOne(): Promise<string | null> {
    const phone = await this.#newPhone();
    if (phone === null) return null;
    const shown = await this.#ask(phone, false);
    if (shown === null) return null;
    await this.#attempt('impression', shown);
    const verdict = this.#parts.book.verdict('impression', shown.requestId);
    if (verdict === 'open') this.#keep(this.#report('impression', shown));
    return verdict === 'accepted' ? shown.requestId : null;
  }

  #begin(): void {
    if (this.#busy >= BUSY_MAX) {
      this.#parts.book.count('ads not asked for: too many waiting');
      return;
    }
    this.#keep(this.#live());
  }

  /** Runs work in the background. The end waits for it. */
  #keep(work: Promise<void>): void {
    const life = work
      .catch((error: unknown) => {
        this.#fault ??= error instanceof Error ? error : new Error(String(error));
      })
      .finally(() => this.#lives.delete(life));
    this.#lives.add(life);
  }

  /** One life of an ad, from the request to the last event. */
  async #live(): Promise<void> {
    const { random } = this.#parts;
    const shown = await this.#whileBusy(async () => {
      const phone = await this.#phone();
      return phone === null ? null : this.#ask(phone, random.next() < 0.03);
    });
    if (shown === null) return;
    const patience = random.next();
    const holdMs = patience < 0.7 ? 300 * random.next() : this.#options.holdMsMax * random.next();
    await this.#pass(holdMs);
    await this.#whileBusy(() => this.#report('impression', shown));
    await this.#after(shown);
  }

  /** The events after an accepted impression. */
  async #after(shown: Shown): Promise<void> {
    const { book, random } = this.#parts;
    if (book.verdict('impression', shown.requestId) !== 'accepted') return;
    if (random.next() < 0.1) await this.#attempt('impression', shown);
    if (shown.isRewarded && random.next() < 0.7) {
      await this.#report('reward', shown, random.next() < 0.8);
      if (random.next() < 0.2) await this.#attempt('reward', shown, true);
    }
    if (random.next() < 0.15) {
      // Waits at the end of the run too: a click within a second of the impression would be suspicious for good.
      await pause(CLICK_DELAY_MS);
      await this.#report('click', shown);
      if (random.next() < 0.2) await this.#attempt('click', shown);
    }
  }

  /** Sends an event until its answer is final; sometimes twice at once. */
  async #report(kind: EventKind, shown: Shown, completion?: boolean): Promise<void> {
    const { book, random } = this.#parts;
    if (completion !== undefined) book.noteCompletion(shown.requestId, completion);
    const first = this.#attempt(kind, shown, completion);
    if (random.next() < 0.08) await this.#attempt(kind, shown, completion);
    await first;
    let backoffMs = BACKOFF_MS_MIN;
    while (!this.#isOver && ['open', 'none'].includes(book.verdict(kind, shown.requestId))) {
      await pause(backoffMs * (0.75 + random.next() / 2));
      backoffMs = Math.min(BACKOFF_MS_MAX, backoffMs * 2);
      await this.#attempt(kind, shown, completion);
    }
  }

  async #attempt(kind: EventKind, shown: Shown, completion?: boolean): Promise<void> {
    const { book, client } = this.#parts;
    const fields = {
      request_id: shown.requestId,
      impression_token: shown.token,
      ...(kind === 'reward' ? { completion: completion ?? book.isCompleted(shown.requestId) } : {}),
    };
    book.count('requests');
    const reply = await client.post(`/events/${kind}`, fields, shown.address);
    const outcome = outcomeOf(reply);
    if (outcome !== null) book.addOutcome(kind, shown.requestId, outcome);
    else await pause(reply?.retryAfterMs ?? BACKOFF_MS_MIN);
  }

  /** Requests an ad. Without a fill the phone falls back and reports it. */
  async #ask(phone: Phone, isTest: boolean): Promise<Shown | null> {
    const { book, client, random } = this.#parts;
    const placement = PLACEMENTS[Math.floor(random.next() * PLACEMENTS.length)]!;
    const { code, format } = placement;
    book.count('requests');
    const reply = await client.post(
      '/ads/request',
      {
        app_key: phone.app.app_key,
        placement: code,
        format,
        session_token: phone.token,
        ...(isTest ? { test_mode: true } : {}),
      },
      phone.address,
    );
    if (reply?.status === 200 && reply.body.status === 'fill') return this.#take(phone, reply.body);
    book.count(describe(reply));
    if (random.next() < 0.3) await this.#fallBack(phone, code, reply === null ? 'timeout' : 'no_fill');
    return null;
  }

  #take(phone: Phone, { request_id: requestId, ad }: AnswerBody): Shown {
    const { book } = this.#parts;
    book.count('fills');
    book.addFill({ requestId, campaignId: ad.campaign_id, appId: phone.app.id, filledAtMs: Date.now() });
    const { address } = phone;
    return { requestId, token: ad.impression_token, address, isRewarded: ad.format === 'rewarded' };
  }

  async #fallBack(phone: Phone, placement: string, reason: string): Promise<void> {
    const { book, client } = this.#parts;
    for (let tries = 0; tries < FALLBACK_TRIES_MAX; tries += 1) {
      book.count('requests');
      const fields = { session_token: phone.token, placement, reason };
      const reply = await client.post('/events/fallback', fields, phone.address);
      if (reply?.status === 200) {
        book.count('fallbacks accepted');
        return;
      }
      if (reply !== null && reply.status < 500) throw new Error(`a fallback was answered ${reply.status}`);
      book.count('fallbacks unknown');
      await pause(BACKOFF_MS_MIN * 2 ** tries);
    }
  }

  async #phone(): Promise<Phone | null> {
    const index = Math.floor(this.#parts.random.next() * PHONES_MAX);
    const phone = this.#phones[index];
    if (phone !== undefined && phone.adsLeft > 0) {
      phone.adsLeft -= 1;
      return phone;
    }
    const fresh = await this.#newPhone();
    if (fresh !== null) this.#phones[Math.min(index, this.#phones.length)] = fresh;
    return fresh;
  }

  async #newPhone(): Promise<Phone | null> {
    const { apps, book, client, random } = this.#parts;
    const app = apps[Math.floor(random.next() * apps.length)]!;
    const address = freshAddress();
    book.count('requests');
    const fields = { app_key: app.app_key, package_name: app.package_name };
    const reply = await client.post('/sdk/initialize', fields, address);
    if (reply?.status === 200)
      return { app, address, token: reply.body.session_token, adsLeft: ADS_PER_PHONE };
    book.count(reply === null ? 'sessions without an answer' : `sessions answered ${reply.status}`);
    return null;
  }

  async #whileBusy<T>(work: () => Promise<T>): Promise<T> {
    this.#busy += 1;
    try {
      return await work();
    } finally {
      this.#busy -= 1;
    }
  }

  /** Waits until `ms` are over or the traffic ends. */
  #pass(ms: number): Promise<void> {
    return pause(ms, this.#ending.signal);
  }
}

function describe(reply: Reply): string {
  if (reply === null) return 'ad requests without an answer';
  if (reply.status !== 200) return `ad requests answered ${reply.status}`;
  return `no-fills ${reply.body.reason}`;
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done);
  });
}
