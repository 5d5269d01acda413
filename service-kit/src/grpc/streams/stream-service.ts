import { Metadata, type ServerDuplexStream } from '@grpc/grpc-js';
import { BatchServiceService, type Result } from '@placard/protos/batch/v1/batch.js';
import { appError } from '../../process/errors.js';
import { Abandonment } from '../abandonment.js';
import { tooManyMembers } from '../batch-service.js';
import type { Definition } from '../definitions.js';
import { decodeCalls, encodeAnswers, type AnswerFrame, type CallFrame } from './frames.js';
import { GATHERED_BYTES_MAX, MEMBERS_MAX } from '../limits.js';
import { serveMember, type MethodsFor, type SharedMethods } from './served-member.js';
import { toStatus } from '../wire-errors.js';

/** How often a client that waits for answers gets at least an empty frame, in milliseconds. Clients leave a silent server. */
const SIGN_MS = 50;

/** Answered calls are remembered for this number of signs at least, half a second, and for twice that number at most. */
const REMEMBERED_SIGNS = 10;

type Stream = ServerDuplexStream<CallFrame, AnswerFrame>;

/**
 * The service that carries several calls in one message, with the codecs {@link decodeCalls} and {@link encodeAnswers}.
 */
export const SharingService = {
  ...BatchServiceService,
  exchange: {
    ...BatchServiceService.exchange,
    requestDeserialize: decodeCalls,
    responseSerialize: encodeAnswers,
  },
} as const satisfies Definition;

/**
 * The handler of `BatchService.Exchange`. When the process stops, it asks clients to open their next streams elsewhere
 * and refuses new streams. Calls that still come on open streams are answered.
 */
export function exchangeHandler(methodsFor: MethodsFor, stopping: AbortSignal) {
  const streams = new Set<ServedStream>();
  let signs: NodeJS.Timeout | undefined;
  stopping.addEventListener('abort', () => streams.forEach((stream) => stream.askToRenew()), { once: true });
  const onClosed = (stream: ServedStream): void => {
    streams.delete(stream);
    if (streams.size > 0) return;
    clearInterval(signs);
    signs = undefined;
  };
  return (call: Stream): void => {
    if (stopping.aborted) {
      const refusal = toStatus(appError('unavailable', 'This process stops.'));
      call.emit('error', Object.assign(new Error('This process stops.'), refusal));
      return;
    }
    const stream: ServedStream = new ServedStream(call, methodsFor(call), () => onClosed(stream));
    streams.add(stream);
    signs ??= setInterval(() => streams.forEach((each) => each.showLife()), SIGN_MS).unref();
  };
}

/** The server side of one stream. Answers that are ready at the end of a turn of the event loop share a frame. */
class ServedStream {
  readonly #call: Stream;
  readonly #methods: SharedMethods;
  readonly #closed: () => void;
  /** The calls without an answer, by id. */
  readonly #open = new Map<number, Abandonment>();
  /** Calls that were answered lately and hold something for their callers, by id. An answer may meet their leaving. */
  #answered = new Map<number, Abandonment>();
  #answeredBefore = new Map<number, Abandonment>();
  #signs = 0;
  #results: Result[] = [];
  #renew = false;
  #isScheduled = false;
  #hasAllCalls = false;
  #isClosed = false;
  /** Whether a frame was written since the last sign of life was due. */
  #hasWritten = false;

  constructor(call: Stream, methods: SharedMethods, closed: () => void) {
    this.#call = call;
    this.#methods = methods;
    this.#closed = closed;
    call.on('data', (frame: CallFrame) => this.#serve(frame));
    call.on('drain', () => call.resume());
    call.on('end', () => {
      this.#hasAllCalls = true;
      this.#schedule();
    });
    call.on('cancelled', () => this.#close());
    call.on('error', () => this.#close());
    // The client sends no calls before it has the headers.
    call.sendMetadata(new Metadata());
  }

  /** Asks the client to replace this stream by another. */
  askToRenew(): void {
    this.#renew = true;
    this.#schedule();
  }

  /** Writes an empty frame if calls wait for answers and no other frame was written since the last time. */
  showLife(): void {
    this.#signs += 1;
    if (this.#signs % REMEMBERED_SIGNS === 0) this.#forgetAnswered();
    if (this.#open.size > 0 && !this.#hasWritten && !this.#isClosed && !this.#call.isPaused())
      this.#write([], false);
    this.#hasWritten = false;
  }

  #forgetAnswered(): void {
    this.#answeredBefore = this.#answered;
    this.#answered = new Map();
  }

  #serve({ members, abandoned }: CallFrame): void {
    if (members.length > MEMBERS_MAX) {
      this.#call.emit('error', tooManyMembers());
      return;
    }
    const now = Date.now();
    for (const id of abandoned) this.#abandon(id);
    for (const member of members) {
      const abandonment = new Abandonment();
      this.#open.set(member.id, abandonment);
      serveMember(this.#methods, member, { index: member.id, now, abandonment }, this.#add);
    }
  }

  #abandon(id: number): void {
    for (const calls of [this.#open, this.#answered, this.#answeredBefore]) calls.get(id)?.abandon();
  }

  readonly #add = (result: Result): void => {
    const abandonment = this.#open.get(result.index);
    if (abandonment?.isWatched === true) this.#answered.set(result.index, abandonment);
    this.#open.delete(result.index);
    this.#results.push(result);
    this.#schedule();
  };

  #schedule(): void {
    if (this.#isScheduled || this.#isClosed) return;
    this.#isScheduled = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#isScheduled = false;
    if (this.#isClosed) return;
    const results = this.#results;
    this.#results = [];
    for (const frame of framesOf(results)) this.#write(frame, false);
    if (this.#renew) {
      this.#renew = false;
      this.#write([], true);
    }
    if (!this.#hasAllCalls || this.#open.size > 0) return;
    this.#close();
    this.#call.end();
  }

  /** Writes answers. While a client does not read them, its further calls are not served. */
  #write(results: readonly Result[], renew: boolean): void {
    this.#hasWritten = true;
    if (!this.#call.write({ results, renew })) this.#call.pause();
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // Their answers can no longer be sent.
    for (const abandonment of this.#open.values()) abandonment.abandon();
    this.#closed();
  }
}

function framesOf(results: readonly Result[]): readonly (readonly Result[])[] {
  const frames: Result[][] = [];
  let frame: Result[] = [];
  let bytes = 0;
  for (const result of results) {
    bytes += bytesOf(result);
    if (frame.length > 0 && bytes > GATHERED_BYTES_MAX) {
      frames.push(frame);
      frame = [];
      bytes = bytesOf(result);
    }
    frame.push(result);
  }
  if (frame.length > 0) frames.push(frame);
  return frames;
}

/** A size estimate with three bytes for each character of the details. */
function bytesOf({ response, error, details }: Result): number {
  return response.length + error.length + 3 * details.length;
}
