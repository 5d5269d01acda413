import type { Client } from '@grpc/grpc-js';
import type { Random } from '../pure/random.js';

/** Between two renewals, in milliseconds. It varies by the jitter, so that clients do not reconnect together. */
const RENEW_MS = 20_000;
const RENEW_JITTER_MS = 4_000;
/** Time limit for a new channel to connect, in milliseconds. Otherwise the old one stays in use. */
const READY_MS_MAX = 3_000;
/** Calls on an old channel that still wait for a connection have this long, in milliseconds. */
const OLD_MS = 5_000;

/**
 * The channel of a client. It is replaced by a new one, with its own connections, about every 20 seconds. So the name of the
 * peer is looked up, new replicas get their share, and dead connections are dropped. Calls of an old channel end on it.
 *
 * grpc-js itself looks a name up only when a connection ends. Its keepalive would end dead connections, but is off: it also
 * breaks the running calls of a connection that its server closes gracefully (grpc/grpc-node issue 3068).
 */
export class RenewedChannel {
  readonly #open: () => Client;
  readonly #random: Random;
  #current: Client;
  /** Becomes the current one when it is connected. */
  #next: Client | null = null;
  readonly #old = new Map<Client, NodeJS.Timeout>();
  #renewal: NodeJS.Timeout | null = null;
  #isClosed = false;

  /** `open` must open a channel that shares its connections with no other. */
  constructor(open: () => Client, random: Random) {
    this.#open = open;
    this.#random = random;
    this.#current = open();
    this.#renewLater();
  }

  /** The channel for the next call. */
  get current(): Client {
    return this.#current;
  }

  /** Closes all channels. Running calls end by themselves. */
  close(): void {
    this.#isClosed = true;
    if (this.#renewal !== null) clearTimeout(this.#renewal);
    this.#next?.close();
    this.#current.close();
    for (const [old, timer] of this.#old) {
      clearTimeout(timer);
      old.close();
    }
  }

  #renewLater(): void {
    const ms = RENEW_MS + (this.#random.next() - 0.5) * RENEW_JITTER_MS;
    this.#renewal = setTimeout(() => this.#renew(), ms).unref();
  }

  #renew(): void {
    const next = this.#open();
    this.#next = next;
    next.waitForReady(Date.now() + READY_MS_MAX, (error) => {
      if (this.#isClosed) return;
      this.#next = null;
      if (error === undefined) this.#replaceBy(next);
      else next.close();
      this.#renewLater();
    });
  }

  #replaceBy(next: Client): void {
    const old = this.#current;
    this.#current = next;
    const close = (): void => {
      this.#old.delete(old);
      old.close();
    };
    this.#old.set(old, setTimeout(close, OLD_MS).unref());
  }
}
