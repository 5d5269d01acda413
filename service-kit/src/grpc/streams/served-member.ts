import { status } from '@grpc/grpc-js';
import type { Member, Result } from '@placard/protos/batch/v1/batch.js';
import { messageOf, type AppError } from '../../process/errors.js';
import type { Abandonment } from '../abandonment.js';
import type { JudgedCall } from '../access/gate.js';
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

/** The unary methods of a server, for one caller. */
export interface SharedMethods {
  /** By their full paths. */
  readonly byPath: ReadonlyMap<string, SharedMethod>;
  /** Largest size of a message, in bytes. */
  readonly messageBytesMax: number;
  /** Null: the caller may call the method of that path. */
  refusal(path: string): AppError | null;
}

/** The methods for the caller of a stream or batch. */
export type MethodsFor = (call: JudgedCall) => SharedMethods;

/** What a member is served with, besides its content. */
export interface ServeOptions {
  /** In the result. */
  readonly index: number;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly abandonment?: Abandonment;
}

/** Calls the method of a member. `done` is called once. */
export function serveMember(
  methods: SharedMethods,
  member: Member,
  { index, now, abandonment }: ServeOptions,
  done: (result: Result) => void,
): void {
  const method = methods.byPath.get(member.path);
  if (method === undefined) {
    done(failed(index, status.UNIMPLEMENTED, `There is no method ${member.path}.`));
    return;
  }
  const refusal = methods.refusal(member.path);
  if (refusal !== null) {
    done(refused(index, refusal));
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
  const context = { deadlineAt: now + member.remainingMs, requestId, traceparent, abandonment };
  method.answer(request, context, (answer) => done(resultOf(method, index, answer, methods.messageBytesMax)));
}

function resultOf(method: SharedMethod, index: number, answer: Answer, messageBytesMax: number): Result {
  if (answer.error !== null) return refused(index, answer.error);
  try {
    const response = method.responseSerialize(answer.response as never);
    if (response.length + ENVELOPE_BYTES > messageBytesMax)
      return failed(index, status.RESOURCE_EXHAUSTED, 'The answer is too large.');
    return { index, status: status.OK, response, details: '', error: NOTHING };
  } catch (error) {
    return unreadable(index, error);
  }
}

function refused(index: number, error: AppError): Result {
  const { code, details, trailer } = toWireStatus(error);
  return { index, status: code, response: NOTHING, details, error: trailer };
}

/** The answer of grpc-js to a message that it cannot read or write. */
function unreadable(index: number, error: unknown): Result {
  return failed(index, status.INTERNAL, messageOf(error));
}

function failed(index: number, code: status, details: string): Result {
  return { index, status: code, response: NOTHING, details, error: NOTHING };
}
