import type { Chance } from '../chance.js';
import type { AppEntry } from '../market/market.js';
import type { Operation } from '../operations.js';
import { isExpected, REFUSED, type Api, type Code, type Written } from './api.js';
import {
  isClickable,
  isRewarded,
  makePhone,
  pickPlacement,
  REQUESTS_PER_SESSION_MAX,
  type Fill,
  type Phone,
} from './phone.js';
import { Ring } from './ring.js';
import type { Supply } from './supply.js';

/** One call that is ready to be made. */
export interface Job {
  /** The actual operation: a phone without an ad must request one before it can show it. */
  readonly operation: Operation;
  /** Makes the call and returns its code; never rejects. `written` is called when the request has left the client. */
  readonly send: (written: Written) => Promise<Code>;
}

/** The parts of traffic. */
export interface TrafficParts {
  readonly api: Api;
  readonly apps: readonly AppEntry[];
  readonly chance: Chance;
  readonly supply: Supply;
  /** Phones that are active at the same time. */
  readonly sessions: number;
  /** Life of an ad, in milliseconds. */
  readonly adMs: number;
}

/** Rules for one phase of traffic. */
export interface TrafficRules {
  /** Whether calls that start new sessions are measured. */
  readonly callsForSessions: boolean;
  /** Whether the phase ends when there is no ad to show. Otherwise an ad is requested, and the request is measured. */
  readonly endsWithoutFills: boolean;
  /** Whether answered sessions and ads are used later. */
  readonly keepsAnswers: boolean;
}

/** Most shown ads that are kept for clicks, rewards and duplicates. */
const SHOWN_MAX = 4_000;
/** Most ads that wait to be shown. Further ones are dropped, like by phones. */
const WAITING_MAX = 200_000;
const PICK_TRIES_MAX = 20;
/** A little more than the fraud rule's second between impression and click. */
const CLICK_DELAY_MS = 1_200;

/** A number of phones. Each requests ads, shows them and begins a new session now and then. */
export class Traffic {
  readonly #parts: TrafficParts;
  readonly #phones: Phone[];
  readonly #waiting: Fill[] = [];
  readonly #clickable = new Ring<Fill>(SHOWN_MAX);
  readonly #rewardable = new Ring<Fill>(SHOWN_MAX);
  readonly #repeatable = new Ring<Fill>(SHOWN_MAX);
  #rules: TrafficRules = { callsForSessions: true, endsWithoutFills: false, keepsAnswers: true };

  constructor(parts: TrafficParts) {
    this.#parts = parts;
    this.#phones = Array.from({ length: parts.sessions }, () => makePhone(parts.apps, parts.chance));
  }

  /** Ads that could be shown now. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Begins missing sessions, and makes ads beforehand if the supply can. Not measured. */
  async prepare(rules: TrafficRules, fills: number): Promise<void> {
    this.#rules = rules;
    const { openSession, makeFill, preparedMax } = this.#parts.supply;
    await inTurns(this.#phones, (phone) => (phone.token === '' ? openSession(phone) : Promise.resolve()));
    if (makeFill === null) return;
    await inTurns(
      Array.from({ length: Math.max(0, Math.min(preparedMax, fills) - this.#waiting.length) }),
      async () => {
        this.#waiting.push(await this.#makeFill(makeFill));
      },
    );
  }

  /** The next call of a kind, or one that must precede it; null when nothing is left to do. */
  async next(operation: Operation): Promise<Job | null> {
    switch (operation) {
      case 'initialize':
        return this.#initialize();
      case 'request':
        return this.#request();
      case 'impression':
        return this.#impression();
      case 'click':
        return this.#late(this.#clickable, 'click');
      case 'reward':
        return this.#late(this.#rewardable, 'reward');
      case 'duplicate': {
        const fill = this.#repeatable.take();
        return fill === null
          ? this.#impression()
          : { operation, send: (written) => this.#parts.api.event('impression', fill, written) };
      }
      case 'fallback': {
        const phone = this.#parts.chance.pick(this.#phones);
        if (phone.token === '') return this.#initialize();
        const placement = pickPlacement(phone, this.#parts.chance);
        return { operation, send: (written) => this.#parts.api.fallback(phone, placement, written) };
      }
    }
  }

  #initialize(): Job {
    const { api, apps, chance } = this.#parts;
    const { keepsAnswers } = this.#rules;
    const phone = makePhone(apps, chance);
    return {
      operation: 'initialize',
      send: async (written) => {
        const { code, token } = await api.initialize(phone, written);
        phone.token = token;
        if (token !== '' && keepsAnswers) this.#admit(phone);
        return code;
      },
    };
  }

  async #request(): Promise<Job> {
    const { api, chance } = this.#parts;
    const { keepsAnswers } = this.#rules;
    const phone = await this.#phoneWithTime();
    if (phone === null) return this.#initialize();
    const placement = pickPlacement(phone, chance);
    phone.requests += 1;
    return {
      operation: 'request',
      send: async (written) => {
        const { code, fill } = await api.request(phone, placement, written);
        if (fill !== null && keepsAnswers && this.#waiting.length < WAITING_MAX) {
          this.#waiting.push({ phone, placement, ...fill, filledAtMs: Date.now(), shownAtMs: 0 });
        }
        return code;
      },
    };
  }

  async #impression(): Promise<Job | null> {
    const { makeFill } = this.#parts.supply;
    const fill = this.#takeWaiting() ?? (makeFill === null ? undefined : await this.#makeFill(makeFill));
    if (fill === undefined) return this.#rules.endsWithoutFills ? null : this.#request();
    return {
      operation: 'impression',
      send: async (written) => {
        const code = await this.#parts.api.event('impression', fill, written);
        if (isExpected('impression', code)) this.#shown(fill);
        // A phone keeps the report of an ad that it has shown and sends it again.
        if (code === REFUSED) this.#waiting.push(fill);
        return code;
      },
    };
  }

  /** The ad that came last and may still be shown. Later ones whose life is over are dropped. */
  #takeWaiting(): Fill | undefined {
    const overBeforeMs = Date.now() - this.#parts.adMs;
    for (;;) {
      const fill = this.#waiting.pop();
      if (fill === undefined || fill.filledAtMs > overBeforeMs) return fill;
    }
  }

  /** A click or reward for an ad that was shown before; an impression when there is none. */
  async #late(ring: Ring<Fill>, kind: 'click' | 'reward'): Promise<Job | null> {
    const nowMs = Date.now();
    const isDue = (fill: Fill): boolean => kind === 'reward' || isClickable(fill, nowMs, CLICK_DELAY_MS);
    const fill = ring.takeIf(isDue, PICK_TRIES_MAX);
    if (fill === null) return this.#impression();
    if (kind === 'click') fill.phone.clicks += 1;
    return { operation: kind, send: (written) => this.#parts.api.event(kind, fill, written) };
  }

  #shown(fill: Fill): void {
    fill.shownAtMs = Date.now();
    fill.phone.impressions += 1;
    this.#clickable.put(fill);
    this.#repeatable.put(fill);
    if (isRewarded(fill.placement.format)) this.#rewardable.put(fill);
  }

  /** A phone that may send another request; null when a new session must be started first. */
  async #phoneWithTime(): Promise<Phone | null> {
    const { chance, supply } = this.#parts;
    for (let tries = 0; tries < PICK_TRIES_MAX; tries += 1) {
      const phone = chance.pick(this.#phones);
      if (phone.token !== '' && phone.requests < REQUESTS_PER_SESSION_MAX) return phone;
      if (this.#rules.callsForSessions) continue;
      const fresh = makePhone(this.#parts.apps, chance);
      await supply.openSession(fresh);
      this.#admit(fresh);
      return fresh;
    }
    return null;
  }

  /** Replaces a phone that has used up its requests, else any phone. */
  #admit(phone: Phone): void {
    let at = this.#parts.chance.below(this.#phones.length);
    for (let tries = 0; tries < PICK_TRIES_MAX; tries += 1) {
      const candidate = this.#parts.chance.below(this.#phones.length);
      const { token, requests } = this.#phones[candidate] ?? phone;
      if (token !== '' && requests < REQUESTS_PER_SESSION_MAX) continue;
      at = candidate;
      break;
    }
    this.#phones[at] = phone;
  }

  /** Makes an ad for some phone. A phone without a fill begins a new session. Rejects after many no-fills in a row. */
  async #makeFill(make: NonNullable<Supply['makeFill']>): Promise<Fill> {
    for (let tries = 1; ; tries += 1) {
      const phone = await this.#phoneWithoutAd();
      phone.requests += 1;
      try {
        return await make(phone, pickPlacement(phone, this.#parts.chance));
      } catch (error) {
        if (tries >= PICK_TRIES_MAX) throw error;
        phone.requests = REQUESTS_PER_SESSION_MAX;
      }
    }
  }

  /** A phone with fewer ads than a real session gets, so that no rule on impressions is near. */
  async #phoneWithoutAd(): Promise<Phone> {
    const { chance, apps, supply } = this.#parts;
    const phone = chance.pick(this.#phones);
    if (phone.token !== '' && phone.requests < REQUESTS_PER_SESSION_MAX) return phone;
    const fresh = makePhone(apps, chance);
    await supply.openSession(fresh);
    this.#phones[this.#phones.indexOf(phone)] = fresh;
    return fresh;
  }
}

const PREPARED_AT_ONCE = 16;

async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const item = items[next] as Item;
      next += 1;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: PREPARED_AT_ONCE }, lane));
}
