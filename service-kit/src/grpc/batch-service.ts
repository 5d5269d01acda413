import { status, type ServerWritableStream } from '@grpc/grpc-js';
import type { CallRequest, CallResponse, Result } from '@placard/protos/batch/v1/batch.js';
import { GATHERED_BYTES_MAX, MEMBERS_MAX } from './limits.js';
import { serveMember, type SharedMethods } from './served-member.js';

/** Answers that are there wait this long for the slower members, in milliseconds. */
const GATHER_MS = 5;

/**
 * The handler of `BatchService.Call`, through which clients of release 0.1.0 share messages: gives each member to its
 * method, and answers those that are done in as few messages as the slow ones allow.
 */
export function batchHandler(methods: SharedMethods) {
  return (call: ServerWritableStream<CallRequest, CallResponse>): void => {
    const { members } = call.request;
    if (members.length > MEMBERS_MAX) {
      call.emit('error', tooManyMembers());
      return;
    }
    const answers = new Answers(call, members.length);
    const now = Date.now();
    for (const [index, member] of members.entries())
      serveMember(methods, member, index, now, (result) => answers.add(result));
  };
}

/** The status of a message with more members than a message may have. */
export function tooManyMembers(): Error {
  const details = `At most ${MEMBERS_MAX} calls share a message.`;
  return Object.assign(new Error(details), { code: status.INVALID_ARGUMENT, details });
}

/** Gathers the answers of one batch. */
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
