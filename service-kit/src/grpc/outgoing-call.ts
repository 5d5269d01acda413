import { Metadata, type Client } from '@grpc/grpc-js';
import { AppError } from '../errors.js';
import type { CallContext } from './call-context.js';
import { fromServiceError } from './wire-errors.js';

/** A unary call on its way to a peer. */
export interface OutgoingCall {
  /** Full path of the method. */
  readonly path: string;
  readonly request: Buffer;
  readonly context: CallContext;
  /** Both may be called again, to no effect. */
  resolve(response: Buffer): void;
  reject(error: AppError): void;
}

/** A way to a peer. */
export interface Peer {
  /** For errors and metrics. */
  readonly name: string;
  readonly channel: Client;
  /** Told of each message that is sent. */
  onMessage(): void;
}

const asIs = (bytes: Buffer): Buffer => bytes;

/** Sends a call in a message of its own; `returned` is called once, when it is over. */
export function sendAlone(peer: Peer, call: OutgoingCall, returned?: () => void): void {
  const metadata = new Metadata();
  metadata.set('x-request-id', call.context.requestId);
  const { traceparent } = call.context;
  if (typeof traceparent === 'string') metadata.set('traceparent', traceparent);
  const options = { deadline: call.context.deadlineAt };
  peer.onMessage();
  try {
    peer.channel.makeUnaryRequest(
      call.path,
      asIs,
      asIs,
      call.request,
      metadata,
      options,
      (error, response) => {
        if (error !== null) call.reject(fromServiceError(error, peer.name));
        // grpc-js: without an error there is a response.
        else call.resolve(response as Buffer);
        returned?.();
      },
    );
  } catch (error) {
    call.reject(closedPeer(peer, error));
    returned?.();
  }
}

/** The error of a call that is made after its client was closed; grpc-js throws there. */
export function closedPeer(peer: Peer, cause: unknown): AppError {
  return new AppError('unavailable', `${peer.name} is no longer called, since this process stops.`, {
    cause,
  });
}
