import { Metadata, status, type ClientDuplexStream, type ServiceError } from '@grpc/grpc-js';
import { BatchServiceService, type Result } from '@placard/protos/batch/v1/batch.js';
import { AppError } from '../process/errors.js';
import { decodeAnswers, encodeCalls, type AnswerFrame } from './frames.js';
import type { OutgoingCall, Peer } from './outgoing-call.js';
import { fromServiceError, fromWireStatus, lateAnswer } from './wire-errors.js';

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
  /** The server of the stream stops or hangs. Further calls must use another stream. */
  renew(): void;
  /** Called last, once. Null: the stream did not break. */
  ended(failure: ServiceError | null): void;
}

/** The client side of one stream of calls to one replica of a peer. */
export class CallStream {
  /** Time of the opening, on `performance.now()`. */
  readonly openedAt = performance.now();
  readonly #peer: Peer;
  readonly #stream: ClientDuplexStream<Buffer, AnswerFrame>;
  readonly #events: StreamEvents;
  /** Open calls by id, until the answer or the deadline. */
  readonly #open = new Map<number, OutgoingCall>();
  #nextId = 1;
  #isFull = false;
  #isRetired = false;
  /** Time of the last frame, on `performance.now()`. */
  #answeredAt = this.openedAt;

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
      this.#answeredAt = performance.now();
      for (const result of results) this.#settle(result);
      if (renew) events.renew();
    });
    this.#stream.on('error', (error: ServiceError) => {
      failure = error;
    });
    // Follows all answers, and also a failure.
    this.#stream.on('end', () => {
      events.ended(failure);
      for (const call of this.#open.values()) call.reject(this.#whyUnanswered(failure));
      this.#open.clear();
    });
  }

  /** True: the peer is slower than its callers. Further calls would only wait. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Sends calls in one frame. */
  send(calls: readonly OutgoingCall[]): void {
    const sentAt = performance.now();
    const frame = encodeCalls(calls, this.#nextId, sentAt);
    for (const call of calls) {
      const id = this.#nextId++;
      this.#open.set(id, call);
      call.watchDeadline(() => this.#giveUp(id, sentAt));
    }
    this.#peer.onMessage();
    this.#isFull = !this.#stream.write(frame);
  }

  /** Sends no more calls. The stream ends when its calls are answered. */
  retire(): void {
    this.#isRetired = true;
    this.#stream.end();
  }

  /** Ends a stream without calls at once. */
  cancel(): void {
    this.#stream.cancel();
  }

  /** Handles a call whose deadline has passed. If no frame has come since the call was sent, the server hangs. */
  #giveUp(id: number, sentAt: number): void {
    this.#open.get(id)?.reject(lateAnswer(this.#peer.name));
    this.#open.delete(id);
    if (this.#answeredAt < sentAt) this.#events.renew();
    // Calls that have not reached the server are then not executed, because nobody would read the answers.
    if (this.#isRetired && this.#open.size === 0) this.#stream.cancel();
  }

  #settle(result: Result): void {
    const call = this.#open.get(result.index);
    if (call === undefined) return;
    this.#open.delete(result.index);
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
