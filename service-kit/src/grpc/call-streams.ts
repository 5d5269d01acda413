import { status, type ServiceError } from '@grpc/grpc-js';
import type { Random } from '../pure/random.js';
import { CallStream } from './call-stream.js';
import { GATHERED_BYTES_MAX, MEMBER_BYTES_MAX, MEMBER_MS_MAX, MEMBERS_MAX } from './limits.js';
import { sendAlone, type OutgoingCall, type Peer } from './outgoing-call.js';

/** Number of streams of one client to one peer. Each goes to the next replica in turn. */
const STREAMS = 4;
/** The oldest stream is replaced about this often, in milliseconds. So a stream lives for four times this long. */
const RENEW_MS = 1_000;
/** The time between two renewals varies by this much, so that clients do not move together. */
const RENEW_JITTER_MS = 400;
/**
 * A stream takes no calls after this time, even without a successor. Its calls then end within the grace period of a
 * connection's maximum age.
 */
const LIFE_MS_MAX = 6_000;
/** A peer without streams (an older release) is asked again after this time, in milliseconds. */
const UNKNOWN_FOR_MS = 60_000;

/**
 * Carries the unary calls of one client to one peer. Calls of one turn of the event loop share one frame, which is sent
 * at the end of the turn. The frames alternate between a few streams, which are renewed all the time. So every replica
 * gets its share, and a new replica gets calls soon. A call is sent in a message of its own when it is large, when it
 * may take long, while no stream is open, while all streams are full, and for a minute after a peer has refused
 * streams.
 */
export class CallStreams {
  readonly #peer: Peer;
  readonly #random: Random;
  /** In the order of their opening: the oldest are first. */
  #ready: CallStream[] = [];
  #opening: CallStream | null = null;
  #turn = 0;
  #waiting: OutgoingCall[] = [];
  #isScheduled = false;
  #wasUsed = false;
  #renewal: NodeJS.Timeout | null = null;
  #aloneUntil = 0;
  #isClosed = false;

  constructor(peer: Peer, random: Random) {
    this.#peer = peer;
    this.#random = random;
  }

  /** Takes a call. It is sent at the end of this turn of the event loop. */
  send(call: OutgoingCall): void {
    const { request, budgetMs } = call.content;
    if (request.length > MEMBER_BYTES_MAX || budgetMs > MEMBER_MS_MAX) {
      sendAlone(this.#peer, call);
      return;
    }
    this.#waiting.push(call);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#flush());
  }

  /** Ends all streams once their calls are answered. */
  close(): void {
    this.#isClosed = true;
    if (this.#renewal !== null) clearTimeout(this.#renewal);
    this.#opening?.cancel();
    for (const stream of this.#ready.splice(0)) stream.retire();
  }

  #flush(): void {
    this.#isScheduled = false;
    this.#wasUsed = true;
    if (this.#renewal === null) this.#openAndRenew();
    while (this.#waiting.length > 0) {
      const stream = this.#next();
      if (stream === null) break;
      stream.send(this.#takeFrame());
    }
    for (const call of this.#waiting) sendAlone(this.#peer, call);
    this.#waiting = [];
  }

  /** The next stream in turn that is not full. Null: there is none. */
  #next(): CallStream | null {
    for (let tried = 0; tried < this.#ready.length; tried += 1) {
      this.#turn = (this.#turn + 1) % this.#ready.length;
      const stream = this.#ready[this.#turn];
      if (stream?.isFull === false) return stream;
    }
    return null;
  }

  #takeFrame(): readonly OutgoingCall[] {
    let count = 0;
    let bytes = 0;
    for (const { content } of this.#waiting) {
      bytes += content.request.length;
      if (count > 0 && (count === MEMBERS_MAX || bytes > GATHERED_BYTES_MAX)) break;
      count += 1;
    }
    if (count < this.#waiting.length) return this.#waiting.splice(0, count);
    const all = this.#waiting;
    this.#waiting = [];
    return all;
  }

  #openAndRenew(): void {
    this.#open();
    this.#renewLater();
  }

  /** Repeats while there are calls, and then until the last stream is gone. */
  #renewLater(): void {
    if (this.#isClosed) return;
    const ms = RENEW_MS + (this.#random.next() - 0.5) * RENEW_JITTER_MS;
    this.#renewal = setTimeout(() => this.#renew(), ms).unref();
  }

  #renew(): void {
    this.#renewal = null;
    // Its time to open is over.
    this.#opening?.cancel();
    this.#opening = null;
    this.#retireOlderThan(performance.now() - LIFE_MS_MAX);
    if (this.#wasUsed) {
      this.#wasUsed = false;
      this.#openAndRenew();
    } else if (this.#ready.length > 0) {
      this.#ready.shift()?.retire();
      this.#renewLater();
    }
  }

  #retireOlderThan(openedAt: number): void {
    while ((this.#ready[0]?.openedAt ?? Infinity) < openedAt) this.#ready.shift()?.retire();
  }

  #open(): void {
    if (this.#opening !== null || this.#isClosed || performance.now() < this.#aloneUntil) return;
    const stream: CallStream = new CallStream(this.#peer, {
      ready: () => this.#onReady(stream),
      renew: () => this.#onRenew(stream),
      ended: (failure) => this.#onEnded(stream, failure),
    });
    this.#opening = stream;
  }

  #onReady(stream: CallStream): void {
    if (this.#opening !== stream) return;
    this.#opening = null;
    if (this.#isClosed) {
      stream.retire();
      return;
    }
    this.#ready.push(stream);
    if (this.#ready.length > STREAMS) this.#ready.shift()?.retire();
    else if (this.#ready.length < STREAMS) this.#open();
  }

  #onRenew(stream: CallStream): void {
    if (!this.#remove(stream)) return;
    stream.retire();
    this.#open();
  }

  #onEnded(stream: CallStream, failure: ServiceError | null): void {
    if (this.#opening === stream) {
      this.#opening = null;
      if (failure?.code !== status.UNIMPLEMENTED) return;
      this.#aloneUntil = performance.now() + UNKNOWN_FOR_MS;
      // Otherwise the replicas of the newer release would get all calls.
      for (const each of this.#ready.splice(0)) each.retire();
    } else if (this.#remove(stream)) {
      this.#open();
    }
  }

  #remove(stream: CallStream): boolean {
    const at = this.#ready.indexOf(stream);
    if (at >= 0) this.#ready.splice(at, 1);
    return at >= 0;
  }
}
