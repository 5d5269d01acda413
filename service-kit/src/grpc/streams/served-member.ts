import { status } from '@grpc/grpc-js';
import type { Member, Result } from '@placard/protos/batch/v1/batch.js';
import { messageOf } from '../../process/errors.js';
import type { Answer, Answerer } from '../answerer.js';
import { toWireStatus } from '../wire-errors.js';

/** Largest size of a message without its response. */
const ENVELOPE_BYTES = 64;
const NOTHING = Buffer.alloc(0);

/** A unary method as it is called for a member of a shared message. */
export interface SharedMethod {
  readonly answer: Answerer;
  readonly requestDeserialize: (bytes: Buffer) => unknown;
  readonly responseSerialize: (value: never) => Buffer;
}

/** The unary methods of a server by their full paths, and the largest size of a message in bytes. */
export interface SharedMethods {
  readonly byPath: ReadonlyMap<string, SharedMethod>;
  readonly messageBytesMax: number;
}

/** Calls the method of a member. `done` is called once, with `index` in the result. `now`: epoch milliseconds. */
export function serveMember(
  methods: SharedMethods,
  member: Member,
  index: number,
  now: number,
  done: (result: Result) => void,
): void {
  const method = methods.byPath.get(member.path);
  if (method === undefined) {
    done(failed(index, status.UNIMPLEMENTED, `There is no method ${member.path}.`));
    return;
  }
  let request: unknown;
  try {
    request = method.requestDeserialize(member.request);
  } catch (error) {
    done(unreadable(index, error));
    return;
  }
  const { requestId, traceparent } = member;
  const context = { deadlineAt: now + member.remainingMs, requestId, traceparent };
  method.answer(request, context, (answer) => done(resultOf(method, index, answer, methods.messageBytesMax)));
}

function resultOf(method: SharedMethod, index: number, answer: Answer, messageBytesMax: number): Result {
  if (answer.error !== null) {
    const { code, details, trailer } = toWireStatus(answer.error);
    return { index, status: code, response: NOTHING, details, error: trailer };
  }
  try {
    const response = method.responseSerialize(answer.response as never);
    if (response.length + ENVELOPE_BYTES > messageBytesMax)
      return failed(index, status.RESOURCE_EXHAUSTED, 'The answer is too large.');
    return { index, status: status.OK, response, details: '', error: NOTHING };
  } catch (error) {
    return unreadable(index, error);
  }
}

/** The answer of grpc-js to a message that it cannot read or write. */
function unreadable(index: number, error: unknown): Result {
  return failed(index, status.INTERNAL, messageOf(error));
}

function failed(index: number, code: status, details: string): Result {
  return { index, status: code, response: NOTHING, details, error: NOTHING };
}
