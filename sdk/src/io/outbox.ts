import { backoffMs } from '../domain/backoff.js';
import { PlacardError } from '../domain/errors.js';
import type { Api, Reply } from './api.js';
import type { EventStore, QueuedAdEvent, QueuedEvent, QueuedFallback } from './event-store.js';
import type { Platform } from './platform.js';
import type { Sessions } from './sessions.js';
import { elapsedMs, momentOf, type Moment } from '../domain/time.js';

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
  readonly timeoutMs: number;
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
  attempts: number;
}

/** Least time between an accepted impression and its click, with a margin. */
const CLICK_GAP_MS = 1_100;
/** Chains under way at a time. */
const CHAINS_MAX = 4;

/**
 * Sends events until the server has answered finally. The events of one ad are a chain: the click waits for the accepted
 * impression. Chains run beside each other, so that one bad ad holds nobody up.
 */
export class Outbox {
  readonly #deps: OutboxDeps;
  readonly #chains = new Map<string, Waiting[]>();
  readonly #running = new Set<string>();
  readonly #settled: (() => void)[] = [];
  /** Ends of pauses that {@link flush} may end early. */
  readonly #pauses = new Set<() => void>();
  /** When impressions were accepted; only the last {@link CLICK_GAP_MS} matter. */
  readonly #acceptedAt = new Map<string, Moment>();
  #isClosed = false;
  #sequence = 0;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  /** Takes over what an earlier run of the app has left. */
  async open(): Promise<void> {
    const stored = await this.#deps.store.list().catch(() => []);
    const left = [...stored].sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const event of left) this.#enqueue(event);
    this.#startChains();
  }

  /** Stores an event, and sends it. It resolves once the event is stored; a store that fails does not stop the event. */
  async add(event: Omit<QueuedAdEvent, 'id'> | Omit<QueuedFallback, 'id'>): Promise<void> {
    const stored = { ...event, id: this.#nextId() };
    await this.#deps.store.put(stored).catch(() => undefined);
    this.#enqueue(stored);
    this.#startChains();
  }

  /** Ends the pauses after failed attempts, as when the network is back. A wait that the server asked for goes on. */
  flush(): void {
    for (const end of [...this.#pauses]) end();
  }

  /** Resolves when no event waits. */
  async drained(): Promise<void> {
    while (this.#chains.size > 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => this.#settled.push(resolve));
    }
  }

  /** Sends nothing from now on. Stored events remain for the next start. */
  close(): void {
    this.#isClosed = true;
    this.flush();
    this.#tellSettled();
  }

  #startChains(): void {
    for (const key of this.#chains.keys()) {
      if (this.#isClosed || this.#running.size >= CHAINS_MAX) return;
      if (!this.#running.has(key)) void this.#run(key);
    }
  }

  #nextId(): string {
    const { clock, random } = this.#deps.platform;
    this.#sequence += 1;
    const parts = [clock.wallMs(), this.#sequence, Math.floor(random() * 36 ** 6)];
    return parts.map((part) => part.toString(36).padStart(9, '0')).join('-');
  }

  #enqueue(event: QueuedEvent): void {
    const key = event.kind === 'fallback' ? event.id : event.requestId;
    const chain = this.#chains.get(key) ?? [];
    if (chain.some(({ event: { id } }) => id === event.id)) return;
    chain.push({ event, attempts: 0 });
    this.#chains.set(key, chain);
  }

  async #run(key: string): Promise<void> {
    const chain = this.#chains.get(key);
    if (chain === undefined) return;
    this.#running.add(key);
    while (chain[0] !== undefined && !this.#isClosed) await this.#attempt(chain[0], chain);
    this.#running.delete(key);
    if (chain.length === 0) this.#chains.delete(key);
    this.#tellSettled();
    this.#startChains();
  }

  /** Sends the first event of a chain, and pauses when it must be sent again. */
  async #attempt(waiting: Waiting, chain: Waiting[]): Promise<void> {
    const { event } = waiting;
    try {
      if (event.kind === 'click') await this.#keepGap(event.requestId);
      const { status, reason = null } = (await this.#send(event)).body;
      // A duplicate is this event: an earlier answer was lost on its way.
      const isAccepted = status === 'accepted' || reason === 'duplicate';
      await this.#settle(chain, { event, isAccepted, reason: isAccepted ? null : reason });
    } catch (error) {
      if (!(error instanceof PlacardError)) throw error;
      if (!error.isRetryable) return this.#settle(chain, { event, isAccepted: false, reason: error.code });
      waiting.attempts += 1;
      const pauseMs = backoffMs(waiting.attempts, error.retryAfterMs, this.#deps.platform.random);
      await this.#pause(pauseMs, error.retryAfterMs === null);
    }
  }

  /** Waits until an impression is old enough for a click. Contract: docs/contract/sdk-api.md#impression-token. */
  async #keepGap(requestId: string): Promise<void> {
    const acceptedAt = this.#acceptedAt.get(requestId);
    if (acceptedAt === undefined) return;
    this.#acceptedAt.delete(requestId);
    await this.#pause(CLICK_GAP_MS - elapsedMs(this.#deps.platform.clock, acceptedAt), false);
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

  /** Removes the first event of a chain. Without its impression the rest of the chain would be rejected, so it goes too. */
  async #settle(chain: Waiting[], outcome: EventOutcome): Promise<void> {
    const { store, onOutcome } = this.#deps;
    const { event: settled, isAccepted } = outcome;
    if (settled.kind === 'impression' && isAccepted) this.#noteAccepted(settled.requestId);
    const isOver = settled.kind === 'impression' && !isAccepted;
    for (const { event } of chain.splice(0, isOver ? chain.length : 1)) {
      // An event that stays in the store is sent again at the next start, and its answer is `duplicate`.
      await store.remove(event.id).catch(() => undefined);
      onOutcome(event === settled ? outcome : { event, isAccepted: false, reason: 'no_impression' });
    }
  }

  #noteAccepted(requestId: string): void {
    const { clock } = this.#deps.platform;
    for (const [id, at] of this.#acceptedAt) {
      if (elapsedMs(clock, at) > CLICK_GAP_MS) this.#acceptedAt.delete(id);
    }
    this.#acceptedAt.set(requestId, momentOf(clock));
  }

  async #pause(ms: number, mayEndEarly: boolean): Promise<void> {
    if (ms <= 0 || this.#isClosed) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        cancel();
        this.#pauses.delete(end);
        resolve();
      };
      const cancel = this.#deps.platform.after(ms, end);
      if (mayEndEarly) this.#pauses.add(end);
    });
  }

  #tellSettled(): void {
    for (const tell of this.#settled.splice(0)) tell();
  }
}
