import { status, type ServiceError } from '@grpc/grpc-js';
import type { Random } from '../../pure/random.js';
import { CallStream } from './call-stream.js';
import { GATHERED_BYTES_MAX, MEMBER_BYTES_MAX, MEMBER_MS_MAX, MEMBERS_MAX } from '../limits.js';
import { sendAlone, type OutgoingCall, type Peer } from '../outgoing-call.js';
import { RetryBudget } from '../retry-budget.js';
import { lateAnswer } from '../wire-errors.js';

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
/** Between two checks for silent replicas, in milliseconds. */
const CHECK_MS = 50;
/** After this number of checks another stream is opened beside one that does not open, on the next replica. */
const OPENING_CHECKS = 4;
/** Longest that calls wait for a first stream, in milliseconds. Two replicas are tried in that time. */
const HOLD_MS_MAX = 500;

/**
 * Carries the unary calls of one client to one peer. Calls of one turn of the event loop share one frame, which is sent
 * at the end of the turn. The frames alternate between a few streams, which are renewed all the time. So every replica
 * gets its share, and a new replica gets calls soon. A call is sent in a message of its own when it is large, when it
 * may take long, while no stream can be opened, while all streams are full, and for a minute after a peer has refused
 * streams.
 *
 * A server that owes answers writes a frame every 50 ms. A replica that is silent for 200 ms gets no calls until a frame
 * comes from it, unless all replicas are silent. A call whose answer is lost is sent again, once, if `call-table.ts`
 * allows it for the method and the {@link RetryBudget} has room.
 */
export class CallStreams {
  readonly #peer: Peer;
  readonly #random: Random;
  readonly #retries = new RetryBudget(performance.now());
  /** Streams that take calls, in the order of their opening: the oldest are first. */
  #ready: CallStream[] = [];
  readonly #opening = new Set<CallStream>();
  /** All streams that were ready and have not ended. */
  readonly #open = new Set<CallStream>();
  #turn = 0;
  #waiting: OutgoingCall[] = [];
  #isScheduled = false;
  #wasUsed = false;
  #renewal: NodeJS.Timeout | null = null;
  #checking: NodeJS.Timeout | null = null;
  #openingChecks = 0;
  /** Since when calls wait for a first stream, on `performance.now()`. Null: there has been one. */
  #heldSince: number | null = null;
  #aloneUntil = 0;
  #isClosed = false;

  constructor(peer: Peer, random: Random) {
    this.#peer = peer;
    this.#random = random;
  }

  /** Takes a call. It is sent at the end of this turn of the event loop if a stream is open. */
  send(call: OutgoingCall): void {
    const { request, budgetMs } = call.content;
    this.#retries.earn();
    if (request.length > MEMBER_BYTES_MAX || budgetMs > MEMBER_MS_MAX) this.#sendAlone(call);
    else this.#enqueue(call);
  }

  /** Ends all streams once their calls are answered. */
  close(): void {
    this.#isClosed = true;
    if (this.#renewal !== null) clearTimeout(this.#renewal);
    this.#stopChecking();
    this.#cancelOpening();
    for (const stream of this.#ready.splice(0)) stream.retire();
    this.#flush();
  }

  #enqueue(call: OutgoingCall): void {
    this.#waiting.push(call);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#flush());
  }

  #sendAlone(call: OutgoingCall): void {
    sendAlone(this.#peer, call, (lost) => this.#retry(lost));
  }

  #flush(): void {
    this.#isScheduled = false;
    if (this.#waiting.length === 0) return;
    this.#wasUsed = true;
    if (this.#renewal === null) this.#openAndRenew();
    while (this.#waiting.length > 0) {
      const stream = this.#next();
      if (stream === null) break;
      stream.send(this.#takeFrame());
    }
    if (this.#waiting.length === 0 || this.#isHeld()) return;
    const alone = this.#waiting;
    this.#waiting = [];
    for (const call of alone) this.#sendAlone(call);
  }

  /** Whether calls wait for a stream that opens. Sent alone, they might go to a silent replica. */
  #isHeld(): boolean {
    if (this.#ready.length > 0 || this.#opening.size === 0) return false;
    const now = performance.now();
    this.#heldSince ??= now;
    return now - this.#heldSince < HOLD_MS_MAX;
  }

  /** The next stream in turn that is not full. It is on a silent replica only if all are silent. Null: there is none. */
  #next(): CallStream | null {
    const areAllSilent = this.#ready.every((each) => each.isSilent);
    for (let tried = 0; tried < this.#ready.length; tried += 1) {
      this.#turn = (this.#turn + 1) % this.#ready.length;
      const stream = this.#ready[this.#turn];
      if (stream?.isFull === false && (areAllSilent || !stream.isSilent)) return stream;
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

  /** Handles a call whose answer is lost. Returns true if the call is sent again. */
  #retry(call: OutgoingCall): boolean {
    const now = performance.now();
    if (this.#isClosed || !call.canRetry(now)) return false;
    const isMade = this.#retries.take(now);
    this.#peer.onRetry(isMade);
    if (!isMade) return false;
    call.beginRetry();
    this.#enqueue(call);
    return true;
  }

  #openAndRenew(): void {
    this.#openNext();
    this.#renewLater();
    if (!this.#isClosed) this.#checking ??= setInterval(() => this.#check(), CHECK_MS).unref();
  }

  /** Repeats while there are calls, and then until the last stream is gone. */
  #renewLater(): void {
    if (this.#isClosed) return;
    const ms = RENEW_MS + (this.#random.next() - 0.5) * RENEW_JITTER_MS;
    this.#renewal = setTimeout(() => this.#renew(), ms).unref();
  }

  #renew(): void {
    this.#renewal = null;
    // Their time to open is over.
    this.#cancelOpening();
    this.#retireOlderThan(performance.now() - LIFE_MS_MAX);
    if (this.#wasUsed) {
      this.#wasUsed = false;
      this.#openAndRenew();
    } else if (this.#open.size > 0) {
      this.#ready.shift()?.retire();
      this.#renewLater();
    } else {
      this.#stopChecking();
    }
  }

  #retireOlderThan(openedAt: number): void {
    while ((this.#ready[0]?.openedAt ?? Infinity) < openedAt) this.#ready.shift()?.retire();
  }

  #stopChecking(): void {
    if (this.#checking !== null) clearInterval(this.#checking);
    this.#checking = null;
  }

  #cancelOpening(): void {
    for (const stream of this.#opening) stream.cancel();
    this.#opening.clear();
  }

  #check(): void {
    for (const stream of this.#open) stream.check();
    if (this.#opening.size > 0 && this.#opening.size < STREAMS) {
      this.#openingChecks += 1;
      if (this.#openingChecks % OPENING_CHECKS === 0) this.#openOne();
    }
    if (this.#waiting.length > 0) this.#checkHeld();
  }

  #checkHeld(): void {
    const now = performance.now();
    for (const call of this.#waiting) if (call.dueAt <= now) call.reject(lateAnswer(this.#peer.name));
    this.#waiting = this.#waiting.filter((call) => call.dueAt > now);
    this.#flush();
  }

  /** Opens a stream unless one is opening. */
  #openNext(): void {
    if (this.#opening.size > 0) return;
    this.#openingChecks = 0;
    this.#openOne();
  }

  #openOne(): void {
    if (this.#isClosed || performance.now() < this.#aloneUntil) return;
    const stream: CallStream = new CallStream(this.#peer, {
      ready: () => this.#onReady(stream),
      renew: () => this.#onRenew(stream),
      silent: () => this.#onSilent(stream),
      returned: () => this.#onReturned(stream),
      retry: (call) => this.#retry(call),
      ended: (failure) => this.#onEnded(stream, failure),
    });
    this.#opening.add(stream);
  }

  #onReady(stream: CallStream): void {
    if (!this.#opening.delete(stream)) return;
    this.#open.add(stream);
    if (this.#isClosed) {
      stream.retire();
      return;
    }
    this.#heldSince = null;
    this.#ready.push(stream);
    if (this.#ready.length > STREAMS) this.#ready.shift()?.retire();
    else if (this.#ready.length < STREAMS) this.#openNext();
    this.#onReturned(stream);
    this.#flush();
  }

  #onRenew(stream: CallStream): void {
    if (!this.#remove(stream)) return;
    stream.retire();
    this.#openNext();
  }

  /** Leaves all streams to the replica. Their calls stay while no other replica answers. */
  #onSilent(stream: CallStream): void {
    this.#peer.onSilence();
    const left = this.#of(stream);
    for (const each of left) each.leave();
    if (!this.#ready.some((each) => !each.isSilent)) return;
    for (const each of left) each.moveCalls();
  }

  /** A frame or a new stream shows that the replica answers. Calls of replicas that are still silent move. */
  #onReturned(stream: CallStream): void {
    for (const each of this.#of(stream)) each.rejoin();
    for (const each of this.#open) if (each.isSilent) each.moveCalls();
  }

  /** The open streams to the same replica. */
  #of({ replica }: CallStream): readonly CallStream[] {
    return [...this.#open].filter((each) => each.replica === replica);
  }

  #onEnded(stream: CallStream, failure: ServiceError | null): void {
    this.#open.delete(stream);
    if (this.#opening.delete(stream)) {
      if (failure?.code === status.UNIMPLEMENTED) this.#knowNoStreams();
      this.#flush();
    } else if (this.#remove(stream)) {
      this.#openNext();
    }
  }

  #knowNoStreams(): void {
    this.#aloneUntil = performance.now() + UNKNOWN_FOR_MS;
    // Otherwise the replicas of the newer release would get all calls.
    for (const each of this.#ready.splice(0)) each.retire();
  }

  #remove(stream: CallStream): boolean {
    const at = this.#ready.indexOf(stream);
    if (at >= 0) this.#ready.splice(at, 1);
    return at >= 0;
  }
}
