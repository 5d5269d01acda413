import { setTimeout as sleep } from 'node:timers/promises';
import type { AppEntry } from '../driver/catalog.js';
import { CODE_OF } from '../driver/catalog.js';
import { freshAddress } from '../driver/phone.js';
import type { AnswerBody } from '../driver/wire.js';

/** How long a phone waits before it leaves. Half a second longer than a placement's default `request_timeout_ms`. */
const PATIENCE_MS = 1_500;
/** From the answer with the ad until it is on the screen. */
const HOLD_MS = 1_500;
/** Pauses before an event is sent again. */
const [PAUSE_MS_MIN, PAUSE_MS_MAX] = [500, 4_000];
const ADS_PER_SECOND = 8;
/** Ads of one session, far below every limit. */
const ADS_PER_SESSION = 10;

/** A session of a phone. */
export interface Session {
  readonly address: string;
  readonly token: string;
}

/** An ad that a phone has. */
export interface Ad {
  readonly address: string;
  readonly request_id: string;
  readonly impression_token: string;
}

/** Phones that ask for ads at a steady rate, show each at once, and leave without an answer as phones do. */
export class Phones {
  readonly #url: string;
  readonly #app: AppEntry;
  #timer: NodeJS.Timeout | undefined;
  #session: Session | null = null;
  #adsLeft = 0;
  #isOver = false;

  constructor(url: string, app: AppEntry) {
    this.#url = url;
    this.#app = app;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#live(), 1_000 / ADS_PER_SECOND);
  }

  stop(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
  }

  /** A new session; null without an answer. */
  async open(app = this.#app, address = freshAddress()): Promise<Session | null> {
    const fields = { app_key: app.app_key, package_name: app.package_name };
    const answer = await this.post('/sdk/initialize', fields, address);
    return answer?.status === 200 ? { address, token: answer.body.session_token } : null;
  }

  /** An ad; null without one. */
  async ask({ address, token }: Session, app = this.#app): Promise<Ad | null> {
    const fields = {
      app_key: app.app_key,
      placement: CODE_OF.banner,
      format: 'banner',
      session_token: token,
    };
    const answer = await this.post('/ads/request', fields, address);
    if (answer?.status !== 200 || answer.body.status !== 'fill') return null;
    const { request_id, ad } = answer.body;
    return { address, request_id, impression_token: ad.impression_token };
  }

  /** Reports the impression; the status, or null without an answer. */
  async show({ address, ...fields }: Ad): Promise<number | null> {
    return (await this.post('/events/impression', fields, address))?.status ?? null;
  }

  /** Null: the phone has left, or its connection broke. */
  async post(
    path: string,
    fields: unknown,
    address: string,
  ): Promise<{ readonly status: number; readonly body: AnswerBody } | null> {
    try {
      const answer = await fetch(`${this.#url}/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify(fields),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      return { status: answer.status, body: (await answer.json()) as AnswerBody };
    } catch {
      return null;
    }
  }

  async #live(): Promise<void> {
    if (this.#adsLeft <= 0 || this.#session === null) {
      this.#adsLeft = ADS_PER_SESSION;
      this.#session = await this.open();
    }
    this.#adsLeft -= 1;
    if (this.#session === null) return;
    const ad = await this.ask(this.#session);
    if (ad === null) return;
    await sleep(HOLD_MS);
    await this.#showUntilAnswered(ad);
  }

  /** A phone repeats an event until its answer is final, as the contract asks. */
  async #showUntilAnswered(ad: Ad): Promise<void> {
    for (let pauseMs = PAUSE_MS_MIN; !this.#isOver; pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * 2)) {
      const status = await this.show(ad);
      if (status !== null && status < 500) return;
      await sleep(pauseMs);
    }
  }
}
