import { status, type ServerWritableStream } from '@grpc/grpc-js';
import type { CallRequest, CallResponse, Member, Result } from '@placard/protos/batch/v1/batch.js';
import { messageOf } from '../errors.js';
import type { Answerer } from './answerer.js';
import { GATHERED_BYTES_MAX, MEMBERS_MAX } from './batch-limits.js';
import { toWireStatus } from './wire-errors.js';

/** Answers that are there wait this long for the slower members, in milliseconds. */
const GATHER_MS = 5;
/** What stands around one response in a message, at most. */
const ENVELOPE_BYTES = 64;

/** A unary method as a batch reaches it. */
export interface BatchMethod {
  readonly answer: Answerer;
  readonly requestDeserialize: (bytes: Buffer) => unknown;
  readonly responseSerialize: (value: never) => Buffer;
}
type Methods = ReadonlyMap<string, BatchMethod>;

/**
 * The handler of `BatchService.Call`: gives each member to its method, and answers those that are done in as few
 * messages as the slow ones allow.
 */
export function batchHandler(methods: Methods, messageBytesMax: number) {
  return (call: ServerWritableStream<CallRequest, CallResponse>): void => {
    const { members } = call.request;
    if (members.length > MEMBERS_MAX) {
      const details = `A batch has at most ${MEMBERS_MAX} members.`;
      call.emit('error', Object.assign(new Error(details), { code: status.INVALID_ARGUMENT, details }));
      return;
    }
    const answers = new Answers(call, members.length);
    for (const [index, member] of members.entries()) {
      void resultOf(methods, member, messageBytesMax).then((result) => answers.add({ index, ...result }));
    }
  };
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

const NOTHING = Buffer.alloc(0);

/** Never rejects. */
async function resultOf(
  methods: Methods,
  member: Member,
  messageBytesMax: number,
): Promise<Omit<Result, 'index'>> {
  const method = methods.get(member.path);
  if (method === undefined) return failed(status.UNIMPLEMENTED, `There is no method ${member.path}.`);
  try {
    const deadlineAt = Date.now() + member.remainingMs;
    const request = method.requestDeserialize(member.request);
    const { requestId, traceparent } = member;
    const answer = await method.answer(request, { deadlineAt, requestId, traceparent });
    if (answer.error !== null) {
      const { code, details, trailer } = toWireStatus(answer.error);
      return { status: code, response: NOTHING, details, error: trailer };
    }
    const response = method.responseSerialize(answer.response as never);
    if (response.length + ENVELOPE_BYTES > messageBytesMax)
      return failed(status.RESOURCE_EXHAUSTED, 'The answer is too large.');
    return { status: status.OK, response, details: '', error: NOTHING };
  } catch (error) {
    // As grpc-js answers a message that it cannot read or write.
    return failed(status.INTERNAL, messageOf(error));
  }
}

function failed(code: status, details: string): Omit<Result, 'index'> {
  return { status: code, response: NOTHING, details, error: NOTHING };
}
