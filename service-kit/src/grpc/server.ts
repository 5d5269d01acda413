import {
  Server,
  type Metadata,
  type sendUnaryData,
  type ServerUnaryCall,
  type ServerWritableStream,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import { appError } from '../process/errors.js';
import { makeSampledLog } from '../process/sampled-log.js';
import type { Scope } from '../process/scope.js';
import { CATALOG_APPLY_MS_MAX } from '../pure/catalog/catalog-file.js';
import type { CallKeys } from './access/call-keys.js';
import { serverCredentials } from './access/credentials.js';
import { gateOf, type Gate } from './access/gate.js';
import { Abandonment } from './abandonment.js';
import { makeAnswerer, type Answerer, type UnaryHandler } from './answerer.js';
import { batchHandler } from './batch-service.js';
import { DEFAULT_BUDGET_MS, type CallContext } from './call-context.js';
import { isOnWritePort, kindOf } from './call-table.js';
import {
  asServiceDefinition,
  type Definition,
  type ImplementedService,
  type ResponseStream,
} from './definitions.js';
import { Durations } from '../process/durations.js';
import { MESSAGE_BYTES_MAX } from './limits.js';
import { addReflection } from './reflection.js';
import type { MethodsFor, SharedMethod } from './streams/served-member.js';
import { exchangeHandler, SharingService } from './streams/stream-service.js';
import { traceHandler } from './trace-calls.js';
import { toStatus } from './wire-errors.js';

/** Services and address of a server. Port 0 lets the system choose. */
export interface GrpcServerOptions {
  readonly host: string;
  readonly port: number;
  /**
   * The port of the services with writing methods; see `call-table.ts`. Default: those methods are not served at
   * all.
   */
  readonly writePort?: number;
  readonly services: readonly ImplementedService[];
  /** Largest message in either direction, in bytes; default {@link MESSAGE_BYTES_MAX}. */
  readonly messageBytesMax?: number;
  /** The keys that callers must send while the process has no certificates. Default: none. */
  readonly keys?: CallKeys;
}

type StreamHandler = (request: unknown, stream: ResponseStream<unknown>) => Promise<void>;

/** Longest wait for running calls when the server closes. */
const SHUTDOWN_MS_MAX = 5_000;
const TURN_AWAY_MS = 1_000;
const CONNECTION_AGE_MS = 120_000;
/** Running calls have this long to end on a connection of that age. The longest call applies a catalog file. */
const CONNECTION_GRACE_MS = CATALOG_APPLY_MS_MAX;

/** The ports of a server that also serves writing methods. */
export interface WritingPorts {
  readonly port: number;
  readonly writePort: number;
}

/**
 * Serves gRPC with health (`grpc.health.v1`, following the process's readiness) and reflection. `writePort` serves the whole
 * of each service that has writing methods. The other port serves all services and refuses the writing methods. So a network
 * policy can give each port its own callers.
 */
export async function openGrpcServer(
  scope: Scope,
  options: GrpcServerOptions & { readonly writePort: number },
): Promise<WritingPorts>;
export async function openGrpcServer(
  scope: Scope,
  options: GrpcServerOptions,
): Promise<Pick<WritingPorts, 'port'>>;
export async function openGrpcServer(
  scope: Scope,
  options: GrpcServerOptions,
): Promise<Pick<WritingPorts, 'port'> & Partial<WritingPorts>> {
  const { host, services, messageBytesMax = MESSAGE_BYTES_MAX } = options;
  const methods = implementMethods(scope, services);
  const listening = { host, messageBytesMax, gate: gateOf(scope, options.keys ?? {}) };
  let writePort: number | undefined;
  if (options.writePort !== undefined) {
    const writing = methods.filter((each) => each.some(({ path }) => isOnWritePort(path)));
    writePort = await listen(
      scope,
      { ...listening, name: 'grpc server for writing', port: options.writePort },
      writing,
    );
  }
  const others = methods.map((each) => each.map((method) => withoutWriting(method, writePort)));
  const port = await listen(scope, { ...listening, name: 'grpc server', port: options.port }, others);
  return writePort === undefined ? { port } : { port, writePort };
}

interface Listening {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly messageBytesMax: number;
  /** Null: whoever reaches the server may call every method. */
  readonly gate: Gate | null;
}

async function listen(
  scope: Scope,
  listening: Listening,
  services: readonly ServedService[],
): Promise<number> {
  const { name, host, messageBytesMax, gate } = listening;
  const server = new Server({
    'grpc.max_receive_message_length': messageBytesMax,
    'grpc.max_send_message_length': messageBytesMax,
    'grpc.max_connection_age_ms': CONNECTION_AGE_MS,
    'grpc.max_connection_age_grace_ms': CONNECTION_GRACE_MS,
    'grpc.enable_channelz': 0,
    ...(gate === null ? {} : { interceptors: [gate.interceptor] }),
  });
  addServices(scope, server, services, listening);
  const health = new HealthImplementation({ '': 'NOT_SERVING' });
  health.addToServer(server);
  scope.health.onChange((isReady) => health.setStatus('', isReady ? 'SERVING' : 'NOT_SERVING'));
  if (scope.rpc.hasReflection) addReflection(server);
  const credentials = serverCredentials(scope, host);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${host}:${listening.port}`, credentials, (error, bound) => {
      if (error !== null) reject(error);
      else resolve(bound);
    });
  });
  const stopTurningAway = keepTurningAway(scope, server, `${host}:${port}`);
  scope.onClose(name, () => {
    stopTurningAway();
    return shutDown(server);
  });
  return port;
}

/**
 * While the process stops and still serves, asks its clients each second to reconnect once their calls are done. A
 * client then looks up the name of the service and finds other replicas. Answers a function that ends this.
 */
function keepTurningAway(scope: Scope, server: Server, address: string): () => void {
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    timer = setInterval(() => server.drain(address, SHUTDOWN_MS_MAX), TURN_AWAY_MS);
  };
  scope.stopping.addEventListener('abort', begin, { once: true });
  return () => {
    scope.stopping.removeEventListener('abort', begin);
    clearInterval(timer);
  };
}

function shutDown(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, SHUTDOWN_MS_MAX);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** A method with its implementation. `shared` is null when it streams. */
interface ServedMethod {
  readonly name: string;
  readonly path: string;
  readonly definition: Definition[string];
  readonly implementation: UntypedServiceImplementation[string];
  readonly shared: SharedMethod | null;
}

type ServedService = readonly ServedMethod[];

function implementMethods(scope: Scope, services: readonly ImplementedService[]): readonly ServedService[] {
  const durations = new Durations({
    name: 'placard_rpc_server_seconds',
    help: 'Duration of served calls, by method and outcome',
    registry: scope.metrics,
  });
  return services.map(({ definition, handlers }) =>
    Object.entries(definition).map(([name, method]) => {
      const served = { name, path: method.path, definition: method };
      if (method.responseStream)
        return {
          ...served,
          implementation: streamHandler(scope, name, handlers[name] as StreamHandler),
          shared: null,
        };
      const handler = traceHandler(scope.tracing, method.path, handlers[name] as UnaryHandler);
      const observe = durations.of({ method: name });
      return answeredBy(served, makeAnswerer(scope, name, handler, { observe, kind: kindOf(method.path) }));
    }),
  );
}

function answeredBy(
  served: Pick<ServedMethod, 'name' | 'path' | 'definition'>,
  answer: Answerer,
): ServedMethod {
  return { ...served, implementation: unaryHandler(answer), shared: { ...served.definition, answer } };
}

/** The method as a port serves it that is not for writing: a refusal when the method writes. */
function withoutWriting(method: ServedMethod, writePort: number | undefined): ServedMethod {
  if (!isOnWritePort(method.path)) return method;
  const where = writePort === undefined ? 'WRITE_GRPC_PORT' : `WRITE_GRPC_PORT (${writePort})`;
  const error = appError('failed_precondition', `This port does not serve ${method.path}; ${where} does.`);
  return answeredBy(method, (_request, _call, done) => done({ error }));
}

/** Adds the services, and the service that carries several unary calls in one message. */
function addServices(
  scope: Scope,
  server: Server,
  services: readonly ServedService[],
  { messageBytesMax, gate }: Pick<Listening, 'messageBytesMax' | 'gate'>,
): void {
  const byPath = new Map<string, SharedMethod>();
  for (const methods of services) {
    for (const { path, shared } of methods) if (shared !== null) byPath.set(path, shared);
    server.addService(
      asServiceDefinition(Object.fromEntries(methods.map(({ name, definition }) => [name, definition]))),
      Object.fromEntries(methods.map(({ name, implementation }) => [name, implementation])),
    );
  }
  const methodsFor: MethodsFor = (call) => ({
    byPath,
    messageBytesMax,
    refusal: gate?.refusalsOf(call) ?? (() => null),
  });
  server.addService(asServiceDefinition(SharingService), {
    call: batchHandler(methodsFor),
    exchange: exchangeHandler(methodsFor, scope.stopping),
  });
}

function unaryHandler(answer: Answerer) {
  return (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>): void => {
    const abandonment = new Abandonment();
    const abandon = (): void => abandonment.abandon();
    call.on('cancelled', abandon);
    answer(call.request, { ...contextOf(call), abandonment }, (given) => {
      // grpc-js emits the event at the end of an answered call too.
      call.off('cancelled', abandon);
      if (given.error === null) callback(null, given.response);
      else callback(toStatus(given.error));
    });
  };
}

function contextOf(call: { readonly metadata: Metadata; getDeadline(): Date | number }): CallContext {
  const deadline = call.getDeadline();
  const wanted = typeof deadline === 'number' ? deadline : deadline.getTime();
  const deadlineAt = Number.isFinite(wanted) ? wanted : Date.now() + DEFAULT_BUDGET_MS;
  const [requestId] = call.metadata.get('x-request-id');
  const [traceparent] = call.metadata.get('traceparent');
  return {
    deadlineAt,
    requestId: typeof requestId === 'string' ? requestId : '-',
    traceparent: typeof traceparent === 'string' ? traceparent : null,
  };
}

function streamHandler(scope: Scope, name: string, handler: StreamHandler) {
  return (call: ServerWritableStream<unknown, unknown>): void => {
    if (scope.stopping.aborted) {
      // The stream would have to end at once. The client connects to another process instead.
      refuseStream(call, appError('unavailable', 'This process stops.'));
      return;
    }
    const closed = new AbortController();
    const close = (): void => closed.abort();
    call.on('cancelled', close);
    call.on('error', close);
    scope.stopping.addEventListener('abort', close, { once: true });
    const stream: ResponseStream<unknown> = {
      write: (response) => call.write(response),
      drained: () =>
        new Promise((resolve) => {
          if (closed.signal.aborted) {
            resolve();
            return;
          }
          const settle = (): void => {
            call.off('drain', settle);
            closed.signal.removeEventListener('abort', settle);
            resolve();
          };
          call.once('drain', settle);
          closed.signal.addEventListener('abort', settle, { once: true });
        }),
      closed: closed.signal,
    };
    const run = async (): Promise<void> => {
      try {
        await handler(call.request, stream);
        call.end();
      } catch (error) {
        if (!closed.signal.aborted)
          scope.once(makeSampledLog).warn({ method: name, err: error }, 'stream failed');
        refuseStream(call, error);
      } finally {
        scope.stopping.removeEventListener('abort', close);
      }
    };
    void run();
  };
}

function refuseStream(call: ServerWritableStream<unknown, unknown>, error: unknown): void {
  // Emitted and not destroyed: only then does the status reach the client.
  call.emit('error', Object.assign(new Error('stream failed'), toStatus(error)));
}
