import type { ServiceDefinition } from '@grpc/grpc-js';
import type { CallContext } from './call-context.js';

/** One method of a generated service definition, with the members that the types need. */
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

/** The writing side of a streaming handler. */
export interface ResponseStream<Response> {
  /** False when the client is slow. The handler then waits for `drained` before the next write. */
  write(response: Response): boolean;
  drained(): Promise<void>;
  /** Aborted when the client is gone or the process stops. */
  readonly closed: AbortSignal;
}

/**
 * The handlers of a service. Unary methods return a response or a promise of one. Streaming methods write until they
 * return.
 */
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

/** Combines handlers with their generated definition. The compiler checks that they match. */
export function implementService<D extends Definition>(
  definition: D,
  handlers: Handlers<D>,
): ImplementedService {
  return { definition, handlers };
}

/** A service as its client sees it: unary methods are async functions, streams are async iterables. */
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

/** Converts a generated definition to the type of grpc-js. */
export function asServiceDefinition(definition: Definition): ServiceDefinition {
  return definition as unknown as ServiceDefinition;
}
