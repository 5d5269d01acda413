import { Metadata, type ServerDuplexStream } from '@grpc/grpc-js';
import { BatchServiceService, type Result } from '@placard/protos/batch/v1/batch.js';
import { appError } from '../../process/errors.js';
import { tooManyMembers } from '../batch-service.js';
import type { Definition } from '../definitions.js';
import { decodeCalls, encodeAnswers, type AnswerFrame, type FramedMember } from './frames.js';
import { GATHERED_BYTES_MAX, MEMBERS_MAX } from '../limits.js';
import { serveMember, type SharedMethods } from './served-member.js';
import { toStatus } from '../wire-errors.js';

/** How often a client that waits for answers gets at least an empty frame, in milliseconds. Clients leave a silent server. */
const SIGN_MS = 50;

type Stream = ServerDuplexStream<readonly FramedMember[], AnswerFrame>;

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
export function exchangeHandler(methods: SharedMethods, stopping: AbortSignal) {
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
    const stream: ServedStream = new ServedStream(call, methods, () => onClosed(stream));
    streams.add(stream);
    signs ??= setInterval(() => streams.forEach((each) => each.showLife()), SIGN_MS).unref();
  };
}

/** The server side of one stream. Answers that are ready at the end of a turn of the event loop share a frame. */
class ServedStream {
  readonly #call: Stream;
  readonly #methods: SharedMethods;
  readonly #closed: () => void;
  #open = 0;
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
    call.on('data', (members: readonly FramedMember[]) => this.#serve(members));
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
    if (this.#open > 0 && !this.#hasWritten && !this.#isClosed && !this.#call.isPaused())
      this.#write([], false);
    this.#hasWritten = false;
  }

  #serve(members: readonly FramedMember[]): void {
    if (members.length > MEMBERS_MAX) {
      this.#call.emit('error', tooManyMembers());
      return;
    }
    const now = Date.now();
    this.#open += members.length;
    for (const member of members) serveMember(this.#methods, member, member.id, now, this.#add);
  }

  readonly #add = (result: Result): void => {
    this.#open -= 1;
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
    if (!this.#hasAllCalls || this.#open > 0) return;
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
