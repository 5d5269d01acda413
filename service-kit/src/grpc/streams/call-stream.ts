import { Metadata, status, type ClientDuplexStream, type ServiceError } from '@grpc/grpc-js';
import { BatchServiceService, type Result } from '@placard/protos/batch/v1/batch.js';
import { AppError } from '../../process/errors.js';
import { decodeAnswers, encodeAbandoned, encodeCalls, type AnswerFrame } from './frames.js';
import type { Carrier, OutgoingCall, Peer } from '../outgoing-call.js';
import { fromServiceError, fromWireStatus, isLost, lateAnswer } from '../wire-errors.js';

/**
 * A server that owes answers counts as silent after this number of checks without a frame. Checks are counted instead of
 * time, because a stall of this process then counts as one check.
 */
const SILENT_CHECKS = 4;
/**
 * Time limit of a stream that nobody ends, in milliseconds. It is far beyond the life of a stream and the deadlines of
 * its calls.
 */
const STREAM_MS_MAX = 20_000;
const PATH = BatchServiceService.exchange.path;

/** Callbacks of a stream. */
export interface StreamEvents {
  /** A server has accepted the stream. Calls may be sent. */
  ready(): void;
  /** The server stops, or is silent and owes nothing. Further calls must use another stream. */
  renew(): void;
  /** The server owes answers and is silent. */
  silent(): void;
  /** A frame has come from a server that was silent. */
  returned(): void;
  /** The answer of a call is lost. Returns true if the call is sent again. */
  retry(call: OutgoingCall): boolean;
  /** Called last, once. Null: the stream did not break. */
  ended(failure: ServiceError | null): void;
}

/** The client side of one stream of calls to one replica of a peer. */
export class CallStream implements Carrier {
  /** Time of the opening, on `performance.now()`. */
  readonly openedAt = performance.now();
  readonly #peer: Peer;
  readonly #stream: ClientDuplexStream<Buffer, AnswerFrame>;
  readonly #events: StreamEvents;
  /** Open calls by id, until the answer or the deadline. */
  readonly #open = new Map<number, OutgoingCall>();
  /** Ids of calls of this turn of the event loop that nobody waits for any more. */
  #abandoned: number[] = [];
  #nextId = 1;
  #isFull = false;
  #isRetired = false;
  #hasEnded = false;
  #isSilent = false;
  /** Checks since the last frame, or since a call waits. */
  #silentChecks = 0;

  /** Throws when the client of the peer is closed. */
  constructor(peer: Peer, events: StreamEvents) {
    this.#peer = peer;
    this.#events = events;
    this.#stream = peer.channel.makeBidiStreamRequest(
      PATH,
      (frame: Buffer) => frame,
      decodeAnswers,
      new Metadata(),
      { deadline: Date.now() + STREAM_MS_MAX },
    );
    let failure: ServiceError | null = null;
    this.#stream.on('metadata', () => events.ready());
    this.#stream.on('drain', () => {
      this.#isFull = false;
    });
    this.#stream.on('data', ({ results, renew }: AnswerFrame) => {
      this.#silentChecks = 0;
      if (this.#isSilent) events.returned();
      for (const result of results) this.#settle(result);
      if (renew) events.renew();
    });
    this.#stream.on('error', (error: ServiceError) => {
      failure = error;
    });
    // Follows all answers, and also a failure.
    this.#stream.on('end', () => {
      this.#hasEnded = true;
      events.ended(failure);
      const isLostHere = failure !== null && isLost(failure);
      for (const call of this.#open.values())
        if (!isLostHere || !events.retry(call)) call.reject(this.#whyUnanswered(failure));
      this.#open.clear();
    });
  }

  /** True: the peer is slower than its callers. Further calls would only wait. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Whether the replica is silent. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Address of the server. It is known once the stream is ready. */
  get replica(): string {
    return this.#stream.getPeer();
  }

  /** Checks whether the server is silent. Called every 50 ms. */
  check(): void {
    if (this.#isSilent || this.#open.size === 0) return;
    this.#silentChecks += 1;
    if (this.#silentChecks >= SILENT_CHECKS) this.#events.silent();
  }

  /** Marks the replica as silent, perhaps because of another stream. It gets no calls until a frame comes from it. */
  leave(): void {
    this.#isSilent = true;
  }

  /** Undoes {@link leave}. */
  rejoin(): void {
    this.#isSilent = false;
    this.#silentChecks = 0;
  }

  /** Moves calls that may be sent again to other streams. The others wait. A stream without calls is given up. */
  moveCalls(): void {
    for (const [id, call] of this.#open) if (this.#events.retry(call)) this.#open.delete(id);
    this.#giveUpWhenUseless();
  }

  /** Sends calls in one frame. Calls that have ended in the meantime are left out. */
  send(all: readonly OutgoingCall[]): void {
    const calls = all.some((call) => call.hasEnded) ? all.filter((call) => !call.hasEnded) : all;
    const frame = encodeCalls(calls, this.#nextId, performance.now());
    if (this.#open.size === 0) this.#silentChecks = 0;
    for (const call of calls) {
      const id = this.#nextId++;
      this.#open.set(id, call);
      call.carriedBy(this, id);
      call.watchDeadline(() => this.#giveUp(id));
    }
    this.#peer.onMessage();
    this.#isFull = !this.#stream.write(frame);
  }

  /** Sends no more calls. The stream ends when its calls are answered. */
  retire(): void {
    this.#isRetired = true;
    if (this.#isSilent && this.#open.size === 0) this.#stream.cancel();
    else this.#endWhenAnswered();
  }

  /** Tells the server that nobody waits for the answer to a call. Calls of one turn of the event loop share a frame. */
  abandon(id: number): void {
    if (!this.#open.delete(id)) return;
    this.#abandoned.push(id);
    if (this.#abandoned.length === 1) setImmediate(() => this.#sendAbandoned());
  }

  #sendAbandoned(): void {
    const ids = this.#abandoned.splice(0);
    if (this.#hasEnded) return;
    // The end of the stream tells the server the same of all its calls.
    if (this.#open.size > 0 || !this.#isRetired) this.#stream.write(encodeAbandoned(ids));
    this.#giveUpWhenUseless();
  }

  /** Ends the stream when it is retired and its calls are answered. Until then it may have to tell of abandoned ones. */
  #endWhenAnswered(): void {
    if (this.#isRetired && this.#open.size === 0 && this.#abandoned.length === 0) this.#stream.end();
  }

  /** Ends a stream without calls at once. */
  cancel(): void {
    this.#stream.cancel();
  }

  /** Handles a call whose deadline has passed. */
  #giveUp(id: number): void {
    this.#open.get(id)?.reject(lateAnswer(this.#peer.name));
    this.abandon(id);
  }

  /** Cancels a stream without waiting callers. Its calls are not executed late, unless the server has received them. */
  #giveUpWhenUseless(): void {
    if (this.#open.size > 0) return;
    if (this.#isRetired) this.#stream.cancel();
    else if (this.#isSilent) this.#events.renew();
  }

  #settle(result: Result): void {
    const call = this.#open.get(result.index);
    if (call === undefined) return;
    this.#open.delete(result.index);
    this.#endWhenAnswered();
    const code = STATUSES.get(result.status) ?? status.UNKNOWN;
    if (code === status.OK) {
      call.resolve(result.response);
      return;
    }
    const cause = new Error(`${code} ${status[code]}: ${result.details}`);
    const failure = { code, details: result.details, trailer: result.error };
    call.reject(fromWireStatus(failure, this.#peer.name, cause));
  }

  #whyUnanswered(failure: ServiceError | null): AppError {
    return failure === null
      ? new AppError('server_error', `${this.#peer.name} left a call unanswered.`)
      : fromServiceError(failure, this.#peer.name);
  }
}

const STATUSES: ReadonlyMap<unknown, status> = new Map(
  Object.values(status)
    .filter((value) => typeof value === 'number')
    .map((value) => [value, value]),
);
