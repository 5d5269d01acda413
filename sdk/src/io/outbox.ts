import { backoffMs } from '../domain/backoff.js';
import { PlacardError } from '../domain/errors.js';
import {
  idPrefixOf,
  isEventOf,
  placeOf,
  type QueuedAdEvent,
  type QueuedEvent,
  type QueuedFallback,
} from '../domain/events.js';
import type { Api, Reply } from './api.js';
import type { EventStore } from './event-store.js';
import type { Platform } from './platform.js';
import type { Sessions } from './sessions.js';

/** The final answer to an event. Contract: docs/contract/sdk-api.md#event-rejections. */
export interface EventOutcome {
  readonly event: QueuedEvent;
  /** Accepted by the server, by this or by an earlier attempt. */
  readonly isAccepted: boolean;
  /** Why it was rejected or given up: a rejection's reason or an error's code; null when it was accepted. */
  readonly reason: string | null;
}

/** Dependencies of {@link Outbox}. */
export interface OutboxDeps {
  readonly api: Api;
  readonly sessions: Sessions;
  readonly store: EventStore;
  readonly platform: Platform;
  readonly appKey: string;
  readonly timeoutMs: number;
  /** Must not throw. */
  readonly onOutcome: (outcome: EventOutcome) => void;
}

/** The body of an event's answer. */
interface EventAnswer {
  readonly status: 'accepted' | 'rejected';
  readonly reason?: string;
}

/** An event and its attempts. */
interface Waiting {
  readonly event: QueuedEvent;
  /** Resolves once the event is written, or cannot be. */
  readonly written: Promise<void>;
  attempts: number;
}

/** The events of one ad, or one fallback. */
interface Chain {
  readonly key: string;
  waiting: Waiting[];
  isSending: boolean;
}

/** A chain that rests. */
interface Pause {
  readonly end: () => void;
  readonly cancel: () => void;
  /** False for a wait that the server has asked for. */
  readonly mayEndEarly: boolean;
}

/** Least time between an accepted impression and its click, with a margin. */
const CLICK_GAP_MS = 1_100;
/** Calls under way at a time. */
const CALLS_MAX = 4;
/** Fallbacks that wait at most. They are statistics, and one banner makes sixty an hour without network. */
const FALLBACKS_MAX = 100;

/**
 * Sends events until the server has answered finally. The events of one ad are a chain: the click waits for the accepted
 * impression. Chains run beside each other. One that pauses keeps no other from running.
 */
export class Outbox {
  readonly #deps: OutboxDeps;
  /** All chains, oldest first. */
  readonly #chains = new Map<string, Chain>();
  /** Chains that wait for their turn. The others are being sent, or pause. */
  readonly #ready: Chain[] = [];
  readonly #pauses = new Set<Pause>();
  readonly #settled: (() => void)[] = [];
  /** From when on the click of an ad may be sent, on the steady clock: the server measures this time. */
  readonly #clickFrom = new Map<string, number>();
  #calls = 0;
  #isClosed = false;
  #sequence = 0;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  /** Takes over what an earlier run of the app has left. */
  async open(): Promise<void> {
    const { store, appKey } = this.#deps;
    const rows = await store.list().catch(() => []);
    const left = rows.filter((row) => isEventOf(appKey, row)).sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const event of left) {
      // The earlier run may have sent the impression a moment ago.
      if (event.kind === 'click') this.#delayClick(event.requestId);
      this.#enqueue(event, Promise.resolve());
    }
    this.#startChains();
  }

  /** Stores an event, and sends it. It resolves once the event is stored; a store that fails does not stop the event. */
  async add(event: Omit<QueuedAdEvent, 'id'> | Omit<QueuedFallback, 'id'>): Promise<void> {
    const queued = { ...event, id: this.#nextId() };
    const written = quietly(() => this.#deps.store.put(queued));
    this.#enqueue(queued, written);
    this.#startChains();
    await written;
  }

  /** Ends the pauses after failed attempts, as when the network is back. A wait that the server asked for goes on. */
  flush(): void {
    for (const { mayEndEarly, end } of [...this.#pauses]) if (mayEndEarly) end();
  }

  /** Resolves when no event waits. */
  async drained(): Promise<void> {
    while (this.#chains.size > 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => this.#settled.push(resolve));
    }
  }

  /** Sends nothing from now on, and ends all timers. Stored events remain for the next start. */
  close(): void {
    this.#isClosed = true;
    for (const { cancel } of this.#pauses) cancel();
    this.#pauses.clear();
    this.#tellSettled();
  }

  #startChains(): void {
    while (!this.#isClosed && this.#calls < CALLS_MAX) {
      const chain = this.#ready.shift();
      if (chain === undefined) return;
      void this.#run(chain);
    }
  }

  #nextId(): string {
    const { platform, appKey } = this.#deps;
    this.#sequence += 1;
    const parts = [platform.clock.wallMs(), this.#sequence, Math.floor(platform.random() * 36 ** 6)];
    return idPrefixOf(appKey) + parts.map((part) => part.toString(36).padStart(9, '0')).join('-');
  }

  #enqueue(event: QueuedEvent, written: Promise<void>): void {
    const key = event.kind === 'fallback' ? event.id : event.requestId;
    let chain = this.#chains.get(key);
    if (chain === undefined) {
      chain = { key, waiting: [], isSending: false };
      this.#chains.set(key, chain);
      this.#ready.push(chain);
    }
    if (chain.waiting.some(({ event: { id } }) => id === event.id)) return;
    chain.waiting.push({ event, written, attempts: 0 });
    if (event.kind === 'fallback') this.#dropFallbacks();
  }

  /** Gives up the oldest fallbacks when too many wait. */
  #dropFallbacks(): void {
    const all = [...this.#chains.values()].filter(({ waiting: [first] }) => first?.event.kind === 'fallback');
    for (const chain of all.slice(0, Math.max(0, all.length - FALLBACKS_MAX))) {
      if (chain.isSending) continue;
      for (const waiting of chain.waiting.splice(0)) void this.#forget(waiting);
      this.#chains.delete(chain.key);
    }
  }

  /** Sends the next event of a chain. Then the chain is over, or pauses, or is ready again. */
  async #run(chain: Chain): Promise<void> {
    const [next] = [...chain.waiting].sort((a, b) => placeOf(a.event) - placeOf(b.event));
    if (next === undefined) return;
    const { event } = next;
    const gapMs = event.kind === 'click' ? this.#untilClickMs(event.requestId) : 0;
    if (gapMs > 0) {
      this.#pause(chain, gapMs, false);
      return;
    }
    const outcome = await this.#attempt(chain, next);
    if (outcome === null) return;
    await this.#settle(chain, next, outcome);
    if (chain.waiting.length > 0) this.#ready.push(chain);
    else this.#chains.delete(chain.key);
    this.#tellSettled();
    this.#startChains();
  }

  /** The final answer to an event; null when the chain pauses, because the event must be sent again. */
  async #attempt(chain: Chain, waiting: Waiting): Promise<EventOutcome | null> {
    const { event } = waiting;
    this.#calls += 1;
    chain.isSending = true;
    try {
      const { status, reason = null } = (await this.#send(event)).body;
      // A duplicate is this event: an earlier answer was lost on its way.
      const isAccepted = status === 'accepted' || reason === 'duplicate';
      return { event, isAccepted, reason: isAccepted ? null : reason };
    } catch (error) {
      const known = error instanceof PlacardError ? error : null;
      // A closed client has no session. So its events are not given up.
      if (known !== null && !known.isRetryable && !this.#isClosed)
        return { event, isAccepted: false, reason: known.code };
      waiting.attempts += 1;
      const waitMs = known?.retryAfterMs ?? null;
      this.#pause(chain, backoffMs(waiting.attempts, waitMs, this.#deps.platform.random), waitMs === null);
      return null;
    } finally {
      this.#calls -= 1;
      chain.isSending = false;
      this.#startChains();
    }
  }

  #send(event: QueuedEvent): Promise<Reply<EventAnswer>> {
    const { api, sessions, timeoutMs } = this.#deps;
    const post = (request: Readonly<Record<string, unknown>>): Promise<Reply<EventAnswer>> =>
      api.post({ path: `/events/${event.kind}`, request, timeoutMs });
    if (event.kind === 'fallback') {
      const { placement, reason } = event;
      return sessions.run(({ token }) => post({ session_token: token, placement, reason }));
    }
    const ids = { request_id: event.requestId, impression_token: event.impressionToken };
    return post(event.kind === 'reward' ? { ...ids, completion: event.completion } : ids);
  }

  /** Removes an event. Without its impression the rest of the chain would be rejected, so it goes too. */
  async #settle(chain: Chain, settled: Waiting, outcome: EventOutcome): Promise<void> {
    const { event, isAccepted } = outcome;
    if (event.kind === 'impression' && isAccepted) this.#delayClick(event.requestId);
    const isOver = event.kind === 'impression' && !isAccepted;
    const gone = isOver ? chain.waiting : [settled];
    chain.waiting = chain.waiting.filter((one) => !gone.includes(one));
    for (const one of gone) {
      await this.#forget(one);
      const rest = { event: one.event, isAccepted: false, reason: 'no_impression' };
      this.#deps.onOutcome(one === settled ? outcome : rest);
    }
  }

  /** Removes an event from the store. One that stays is sent again at the next start, and its answer is `duplicate`. */
  #forget({ event, written }: Waiting): Promise<void> {
    return quietly(async () => {
      await written;
      await this.#deps.store.remove(event.id);
    });
  }

  /** The click of an ad waits from now on. Contract: docs/contract/sdk-api.md#impression-token. */
  #delayClick(requestId: string): void {
    const nowMs = this.#deps.platform.clock.steadyMs();
    for (const [id, fromMs] of this.#clickFrom) if (fromMs <= nowMs) this.#clickFrom.delete(id);
    this.#clickFrom.set(requestId, nowMs + CLICK_GAP_MS);
  }

  #untilClickMs(requestId: string): number {
    return (this.#clickFrom.get(requestId) ?? 0) - this.#deps.platform.clock.steadyMs();
  }

  #pause(chain: Chain, ms: number, mayEndEarly: boolean): void {
    if (this.#isClosed) return;
    const end = (): void => {
      pause.cancel();
      this.#pauses.delete(pause);
      this.#ready.push(chain);
      this.#startChains();
    };
    const pause: Pause = { end, cancel: this.#deps.platform.after(ms, end), mayEndEarly };
    this.#pauses.add(pause);
  }

  #tellSettled(): void {
    for (const tell of this.#settled.splice(0)) tell();
  }
}

/** Work on the store, which may fail. */
async function quietly(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch {
    // The event is in memory.
  }
}
