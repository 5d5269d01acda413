import type { ServiceDefinition } from '@grpc/grpc-js';
import type { CallContext } from './call-context.js';

/** One method of a generated service definition, as far as types need it. */
interface MethodShape {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  // Parameters are contravariant: `never` lets every generated serializer fit.
  readonly requestSerialize: (value: never) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => unknown;
  readonly responseSerialize: (value: never) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => unknown;
}

/** A generated service definition such as `SessionServiceService`. */
export type Definition = Readonly<Record<string, MethodShape>>;

type RequestOf<Method extends MethodShape> = ReturnType<Method['requestDeserialize']>;
type ResponseOf<Method extends MethodShape> = ReturnType<Method['responseDeserialize']>;

type UnaryNames<D extends Definition> = {
  [K in keyof D]: D[K]['responseStream'] extends true
    ? never
    : D[K]['requestStream'] extends true
      ? never
      : K;
}[keyof D];
type StreamNames<D extends Definition> = {
  [K in keyof D]: D[K]['responseStream'] extends true ? K : never;
}[keyof D];

/** What a streaming handler writes into. */
export interface ResponseStream<Response> {
  /** False when the client is slow: wait for `drained` before the next write. */
  write(response: Response): boolean;
  drained(): Promise<void>;
  /** Aborted when the client has gone or the process stops. */
  readonly closed: AbortSignal;
}

/** The handlers of a service: unary methods return a response or a promise of one, streaming ones write until they return. */
export type Handlers<D extends Definition> = {
  readonly [K in keyof D]: D[K]['responseStream'] extends true
    ? (request: RequestOf<D[K]>, stream: ResponseStream<ResponseOf<D[K]>>) => Promise<void>
    : (request: RequestOf<D[K]>, call: CallContext) => Promise<ResponseOf<D[K]>> | ResponseOf<D[K]>;
};

/** A service and its handlers; made by {@link implementService}. */
export interface ImplementedService {
  readonly definition: Definition;
  readonly handlers: Readonly<Record<string, unknown>>;
}

/** Ties handlers to their generated definition, checked by type. */
export function implementService<D extends Definition>(
  definition: D,
  handlers: Handlers<D>,
): ImplementedService {
  return { definition, handlers };
}

/** A client's view of a service: unary methods as plain async functions, streams as async iterables. */
export type RpcClient<D extends Definition> = {
  readonly [K in UnaryNames<D>]: (
    request: RequestOf<D[K]>,
    call?: Partial<CallContext>,
  ) => Promise<ResponseOf<D[K]>>;
} & {
  readonly [K in StreamNames<D>]: (
    request: RequestOf<D[K]>,
    signal: AbortSignal,
  ) => AsyncIterable<ResponseOf<D[K]>>;
};

/** A generated definition as grpc-js wants it. */
export function asServiceDefinition(definition: Definition): ServiceDefinition {
  return definition as unknown as ServiceDefinition;
}
