import { Metadata, type Client } from '@grpc/grpc-js';
import { runAt } from '../process/coarse-timers.js';
import { AppError } from '../process/errors.js';
import type { WheelTimer } from '../pure/timer-wheel.js';
import { MEANINGFUL_WORK_MS_MIN } from './call-context.js';
import { fromServiceError, isLost } from './wire-errors.js';

/** A call with less time left is not sent again, in milliseconds. */
const RETRY_MS_MIN = 2 * MEANINGFUL_WORK_MS_MIN;

/** The content of a unary call to a peer. */
export interface CallContent {
  /** Full path of the method. */
  readonly path: string;
  readonly request: Buffer;
  /** Epoch milliseconds. */
  readonly deadlineAt: number;
  /** Milliseconds from `startedAt` to the deadline. */
  readonly budgetMs: number;
  /** Time at which the call was made, on `performance.now()`. */
  readonly startedAt: number;
  readonly requestId: string;
  /** Null: the request is not traced. */
  readonly traceparent: string | null;
  /** Whether the call is sent again when its answer is lost. */
  readonly isRetried: boolean;
  /** Exactly one of the two callbacks is called, once. */
  readonly onResponse: (response: Buffer) => void;
  readonly onError: (error: AppError) => void;
}

/** What carries calls to a peer. */
export interface Carrier {
  /** Tells the peer that nobody waits for the answer to this call. */
  abandon(id: number): void;
}

/** A unary call on its way to a peer. Only the first result counts; later ones have no effect. */
export class OutgoingCall {
  readonly content: CallContent;
  #timer: WheelTimer | null = null;
  #carrier: Carrier | null = null;
  #carrierId = 0;
  #hasEnded = false;
  #mayRetry: boolean;

  constructor(content: CallContent) {
    this.content = content;
    this.#mayRetry = content.isRetried;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The deadline, on `performance.now()`. */
  get dueAt(): number {
    return this.content.startedAt + this.content.budgetMs;
  }

  /** Calls `onLate` at the deadline, unless the call has ended before. */
  watchDeadline(onLate: () => void): void {
    this.#timer?.cancel();
    this.#timer = runAt(this.dueAt, onLate);
  }

  /** Whether the call may be sent again and can still end in time. */
  canRetry(now: number): boolean {
    return this.#mayRetry && !this.#hasEnded && this.dueAt - now >= RETRY_MS_MIN;
  }

  /** Notes that the call is sent again. It is not sent a third time. */
  beginRetry(): void {
    this.#mayRetry = false;
  }

  /** Notes what carries the call to the peer, under which id. */
  carriedBy(carrier: Carrier, id: number): void {
    this.#carrier = carrier;
    this.#carrierId = id;
  }

  /** Ends a call that its caller does not wait for any more. The peer is told so if it has the call. */
  cancel(): void {
    if (!this.#end()) return;
    this.content.onError(new AppError('cancelled', 'The caller has left.'));
    this.#carrier?.abandon(this.#carrierId);
  }

  resolve(response: Buffer): void {
    if (this.#end()) this.content.onResponse(response);
  }

  reject(error: AppError): void {
    if (this.#end()) this.content.onError(error);
  }

  #end(): boolean {
    if (this.#hasEnded) return false;
    this.#hasEnded = true;
    this.#timer?.cancel();
    return true;
  }
}

/** A connection to a peer. */
export interface Peer {
  /** For errors and metrics. */
  readonly name: string;
  /** For the next call. */
  readonly channel: Client;
  /** Called for each message that is sent. */
  onMessage(): void;
  /** Called when a replica is silent and gets no more calls. */
  onSilence(): void;
  /** Called for each lost call that may be sent again. False: the retry budget is spent. */
  onRetry(isMade: boolean): void;
}

const asIs = (bytes: Buffer): Buffer => bytes;

/** Sends a call in a message of its own. `retry` is called when the answer is lost; it returns true if it sends the call again. */
export function sendAlone(peer: Peer, call: OutgoingCall, retry: (call: OutgoingCall) => boolean): void {
  const { path, request, deadlineAt, requestId, traceparent } = call.content;
  const metadata = new Metadata();
  metadata.set('x-request-id', requestId);
  if (traceparent !== null) metadata.set('traceparent', traceparent);
  peer.onMessage();
  try {
    const sent = peer.channel.makeUnaryRequest(
      path,
      asIs,
      asIs,
      request,
      metadata,
      { deadline: deadlineAt },
      (error, response) => {
        // grpc-js: without an error there is always a response.
        if (error === null) call.resolve(response as Buffer);
        else if (!isLost(error) || !retry(call)) call.reject(fromServiceError(error, peer.name));
      },
    );
    call.carriedBy({ abandon: () => sent.cancel() }, 0);
  } catch (error) {
    // grpc-js throws when a call is made after its client was closed.
    call.reject(
      new AppError('unavailable', `${peer.name} is no longer called, since this process stops.`, {
        cause: error,
      }),
    );
  }
}
