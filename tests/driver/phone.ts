import { expect } from 'chai';
import { CODE_OF } from './catalog.js';
import type { AppEntry, Format } from './catalog.js';
import { fillOf } from './expect.js';
import { sendJson } from './http.js';
import type { Answer } from './http.js';
import type { AnswerBody, Fill } from './wire.js';

/** Fields of a request body; a test may send anything. */
export type Fields = Readonly<Record<string, unknown>>;

/** Options of a phone: the address and the country in its requests. */
export interface PhoneOptions {
  readonly test_mode?: boolean;
  /** The phone's address in the trusted proxy's header; default: an address in a fresh private network. */
  readonly address?: string;
  /** The country in the trusted proxy's header. */
  readonly country?: string;
}

let networkCount = 0;

/** An address in an IPv4 /24 that no other phone of this run uses. It is private, so it has no country. */
export function freshAddress(): string {
  networkCount += 1;
  return `10.${(networkCount >> 8) & 255}.${networkCount & 255}.7`;
}

/** One phone with a session, which asks for ads and reports events as an SDK does. */
export class Phone {
  private constructor(
    private readonly url: string,
    readonly app: AppEntry,
    readonly session: AnswerBody,
    readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** Starts a session, which must succeed. */
  static async open(url: string, app: AppEntry, options: PhoneOptions = {}): Promise<Phone> {
    const headers: Record<string, string> = { 'x-forwarded-for': options.address ?? freshAddress() };
    if (options.country !== undefined) headers['x-country'] = options.country;
    const answer = await sendJson(
      url,
      '/v1/sdk/initialize',
      {
        app_key: app.app_key,
        package_name: app.package_name,
        test_mode: options.test_mode ?? null,
      },
      headers,
    );
    expect(answer.status, answer.text).to.equal(200);
    return new Phone(url, app, answer.body, headers);
  }

  get token(): string {
    return this.session.session_token;
  }

  /** The same phone, with another address of the product. */
  at(url: string): Phone {
    return new Phone(url, this.app, this.session, this.headers);
  }

  post(path: string, fields: Fields, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return sendJson(this.url, path, fields, { ...this.headers, ...headers });
  }

  /** Requests an ad for the app's placement of that format; `over` adds and replaces fields. */
  request(format: Format, over: Fields = {}): Promise<Answer> {
    return this.post('/v1/ads/request', {
      app_key: this.app.app_key,
      placement: CODE_OF[format],
      format,
      session_token: this.token,
      ...over,
    });
  }

  /** Requests an ad and asserts a fill. */
  async fill(format: Format, over: Fields = {}): Promise<Fill> {
    return fillOf(await this.request(format, over));
  }

  /** Requests `count` ads, ten at a time, and asserts that each is a fill. */
  async fills(count: number, format: Format, over: Fields = {}): Promise<Fill[]> {
    return inTurns(count, 10, () => this.fill(format, over));
  }

  /** Requests an ad and returns its campaign, or the reason of the no-fill. */
  async outcome(format: Format, over: Fields = {}): Promise<string> {
    const answer = await this.request(format, over);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body.status === 'fill' ? answer.body.ad.campaign_id : answer.body.reason;
  }

  impression(fill: Fill): Promise<Answer> {
    return this.event('impression', fill);
  }

  click(fill: Fill): Promise<Answer> {
    return this.event('click', fill);
  }

  reward(fill: Fill, completion: boolean): Promise<Answer> {
    return this.event('reward', fill, { completion });
  }

  event(kind: 'impression' | 'click' | 'reward', fill: Fill, over: Fields = {}): Promise<Answer> {
    return this.post(`/v1/events/${kind}`, {
      request_id: fill.requestId,
      impression_token: fill.token,
      ...over,
    });
  }

  fallback(placement: string, reason = 'no_fill', over: Fields = {}): Promise<Answer> {
    return this.post('/v1/events/fallback', { session_token: this.token, placement, reason, ...over });
  }
}

/** Runs `doOne` `count` times, at most `width` at once. The results are in the order of the starts. */
export async function inTurns<T>(
  count: number,
  width: number,
  doOne: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = new Array<T>(count);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      results[index] = await doOne(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
  return results;
}

/** Runs `doOne` `count` times at once. */
export function atOnce<T>(count: number, doOne: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => doOne(index)));
}

/** Waits. Only for times of the product's own clock, such as a click's delay or an ad's expiry. */
export function pass(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}

/** Polls `isTrue` for at most `withinMs`; returns whether it became true. */
export async function becomes(withinMs: number, isTrue: () => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + withinMs;
  for (;;) {
    if (await isTrue()) return true;
    if (performance.now() >= until) return false;
    await pass(50);
  }
}

const MINUTE_MS = 60_000;

/** Waits until the minute has `roomMs` left. In the next minute the sliding window would let some more requests pass. */
export async function waitForRoomInMinute(roomMs: number): Promise<void> {
  const left = MINUTE_MS - (Date.now() % MINUTE_MS);
  if (left < roomMs) await pass(left + 20);
}
