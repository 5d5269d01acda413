import { status, type ServerWritableStream } from '@grpc/grpc-js';
import type { CallRequest, CallResponse, Result } from '@placard/protos/batch/v1/batch.js';
import { GATHERED_BYTES_MAX, MEMBERS_MAX } from './limits.js';
import { serveMember, type MethodsFor } from './streams/served-member.js';

/** Finished answers wait this long for slower members, in milliseconds. */
const GATHER_MS = 5;

/**
 * The handler of `BatchService.Call`, through which clients of release 0.1.0 send several calls in one message. It
 * passes each member to its method and streams the answers in as few messages as the slow members allow.
 */
export function batchHandler(methodsFor: MethodsFor) {
  return (call: ServerWritableStream<CallRequest, CallResponse>): void => {
    const { members } = call.request;
    if (members.length > MEMBERS_MAX) {
      call.emit('error', tooManyMembers());
      return;
    }
    const methods = methodsFor(call);
    const answers = new Answers(call, members.length);
    const now = Date.now();
    for (const [index, member] of members.entries())
      serveMember(methods, member, { index, now }, (result) => answers.add(result));
  };
}

/** The status for a message with more than {@link MEMBERS_MAX} members. */
export function tooManyMembers(): Error {
  const details = `At most ${MEMBERS_MAX} calls share a message.`;
  return Object.assign(new Error(details), { code: status.INVALID_ARGUMENT, details });
}

/** Collects the answers of one batch. */
class Answers {
  readonly #call: ServerWritableStream<CallRequest, CallResponse>;
  #open: number;
  #results: Result[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(call: ServerWritableStream<CallRequest, CallResponse>, open: number) {
    this.#call = call;
    this.#open = open;
    if (open === 0) call.end();
  }

  add(result: Result): void {
    if (this.#bytes + result.response.length > GATHERED_BYTES_MAX) this.#write();
    this.#results.push(result);
    this.#bytes += result.response.length;
    this.#open -= 1;
    if (this.#open === 0) {
      this.#write();
      this.#call.end();
    } else {
      this.#timer ??= setTimeout(() => this.#write(), GATHER_MS);
    }
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#results.length === 0) return;
    this.#call.write({ results: this.#results });
    this.#results = [];
    this.#bytes = 0;
  }
}
