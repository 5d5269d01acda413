import { Metadata, status, type ClientReadableStream, type ServiceError } from '@grpc/grpc-js';
import { BatchServiceService, type CallResponse, type Result } from '@placard/protos/batch/v1/batch.js';
import { AppError } from '../errors.js';
import { BatchQueue } from './batch-queue.js';
import { MEMBER_BYTES_MAX } from './batch-limits.js';
import { closedPeer, sendAlone, type OutgoingCall, type Peer } from './outgoing-call.js';
import { fromServiceError, fromWireStatus, lateAnswer } from './wire-errors.js';

/** A peer of an older release is asked again after this time, in milliseconds. */
const UNKNOWN_FOR_MS = 60_000;
const METHOD = BatchServiceService.call;

/**
 * Sends unary calls to a peer so that those made at the same time share a message. A peer that does not know of
 * batches gets every call alone.
 */
export function openSharing(peer: Peer): (call: OutgoingCall) => void {
  let aloneUntil = 0;
  const queue = new BatchQueue<OutgoingCall>({
    alone: (call, returned) => sendAlone(peer, call, returned),
    together: (calls, returned) =>
      sendTogether(peer, calls, returned, (unanswered) => {
        aloneUntil = performance.now() + UNKNOWN_FOR_MS;
        for (const call of unanswered) sendAlone(peer, call);
      }),
  });
  return (call) => {
    if (call.request.length > MEMBER_BYTES_MAX || performance.now() < aloneUntil) sendAlone(peer, call);
    else queue.add(call);
  };
}

/**
 * Each member fails at its own deadline, whatever becomes of the others. `returned`: the first answer or the failure
 * is there. `onUnknown`: the peer does not know of batches and has done nothing.
 */
function sendTogether(
  peer: Peer,
  calls: readonly OutgoingCall[],
  returned: () => void,
  onUnknown: (unanswered: readonly OutgoingCall[]) => void,
): void {
  const now = Date.now();
  const stream = openStream(peer, calls, now);
  if (stream === null) {
    returned();
    return;
  }
  const open = new Map(calls.entries());
  const timers = calls.map((call, index) =>
    setTimeout(() => {
      open.delete(index);
      call.reject(lateAnswer(peer.name));
    }, call.context.deadlineAt - now),
  );
  let hasReturned = false;
  const tellReturned = (): void => {
    if (hasReturned) return;
    hasReturned = true;
    returned();
  };
  let failure: ServiceError | null = null;
  stream.on('error', (error: ServiceError) => {
    failure = error;
  });
  stream.on('data', ({ results }: CallResponse) => {
    for (const result of results) {
      const call = open.get(result.index);
      if (call === undefined) continue;
      open.delete(result.index);
      clearTimeout(timers[result.index]);
      settle(peer, call, result);
    }
    tellReturned();
  });
  // Comes after all answers, also behind a failure.
  stream.on('end', () => {
    for (const index of open.keys()) clearTimeout(timers[index]);
    if (failure?.code === status.UNIMPLEMENTED && !hasReturned) onUnknown([...open.values()]);
    else for (const call of open.values()) call.reject(whyUnanswered(peer, failure));
    open.clear();
    tellReturned();
  });
}

/** Null: the client is closed, and every call has failed. */
function openStream(
  peer: Peer,
  calls: readonly OutgoingCall[],
  now: number,
): ClientReadableStream<CallResponse> | null {
  const members = calls.map(({ path, request, context }) => ({
    path,
    request,
    remainingMs: Math.max(0, Math.floor(context.deadlineAt - now)),
    requestId: context.requestId,
    traceparent: context.traceparent ?? '',
  }));
  const deadline = calls.reduce((latest, { context }) => Math.max(latest, context.deadlineAt), now);
  peer.onMessage();
  try {
    return peer.channel.makeServerStreamRequest(
      METHOD.path,
      METHOD.requestSerialize,
      METHOD.responseDeserialize,
      { members },
      new Metadata(),
      { deadline },
    );
  } catch (error) {
    for (const call of calls) call.reject(closedPeer(peer, error));
    return null;
  }
}

const STATUSES: ReadonlyMap<unknown, status> = new Map(
  Object.values(status)
    .filter((value) => typeof value === 'number')
    .map((value) => [value, value]),
);

function settle(peer: Peer, call: OutgoingCall, result: Result): void {
  const code = STATUSES.get(result.status) ?? status.UNKNOWN;
  if (code === status.OK) {
    call.resolve(result.response);
    return;
  }
  const cause = new Error(`${code} ${status[code]}: ${result.details}`);
  call.reject(fromWireStatus({ code, details: result.details, trailer: result.error }, peer.name, cause));
}

function whyUnanswered(peer: Peer, failure: ServiceError | null): AppError {
  return failure === null
    ? new AppError('server_error', `${peer.name} left a call unanswered.`)
    : fromServiceError(failure, peer.name);
}
