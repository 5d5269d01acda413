import {
  Server,
  ServerCredentials,
  type Metadata,
  type sendUnaryData,
  type ServerUnaryCall,
  type ServerWritableStream,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import { appError } from '../process/errors.js';
import type { Scope } from '../process/scope.js';
import { CATALOG_APPLY_MS_MAX } from '../pure/catalog/catalog-file.js';
import { makeAnswerer, type Answerer, type UnaryHandler } from './answerer.js';
import { batchHandler } from './batch-service.js';
import { DEFAULT_BUDGET_MS, type CallContext } from './call-context.js';
import { asServiceDefinition, type ImplementedService, type ResponseStream } from './definitions.js';
import { Durations } from '../process/durations.js';
import { MESSAGE_BYTES_MAX } from './limits.js';
import { addReflection } from './reflection.js';
import type { SharedMethod } from './streams/served-member.js';
import { exchangeHandler, SharingService } from './streams/stream-service.js';
import { traceHandler } from './trace-calls.js';
import { toStatus } from './wire-errors.js';

/** Services and address of a server. Port 0 lets the system choose. */
export interface GrpcServerOptions {
  readonly host: string;
  readonly port: number;
  readonly services: readonly ImplementedService[];
  /** Largest message in either direction, in bytes; default {@link MESSAGE_BYTES_MAX}. */
  readonly messageBytesMax?: number;
}

type StreamHandler = (request: unknown, stream: ResponseStream<unknown>) => Promise<void>;

/** Longest wait for running calls when the server closes. */
const SHUTDOWN_MS_MAX = 5_000;
const TURN_AWAY_MS = 1_000;
const CONNECTION_AGE_MS = 120_000;
/** Running calls have this long to end on a connection of that age. The longest call applies a catalog file. */
const CONNECTION_GRACE_MS = CATALOG_APPLY_MS_MAX;

/** Serves gRPC with health (`grpc.health.v1`, following the process's readiness) and reflection. */
export async function openGrpcServer(
  scope: Scope,
  options: GrpcServerOptions,
): Promise<{ readonly port: number }> {
  const messageBytesMax = options.messageBytesMax ?? MESSAGE_BYTES_MAX;
  const server = new Server({
    'grpc.max_receive_message_length': messageBytesMax,
    'grpc.max_send_message_length': messageBytesMax,
    'grpc.max_connection_age_ms': CONNECTION_AGE_MS,
    'grpc.max_connection_age_grace_ms': CONNECTION_GRACE_MS,
    'grpc.enable_channelz': 0,
  });
  addServices(scope, server, options, messageBytesMax);
  const health = new HealthImplementation({ '': 'NOT_SERVING' });
  health.addToServer(server);
  scope.health.onChange((isReady) => health.setStatus('', isReady ? 'SERVING' : 'NOT_SERVING'));
  addReflection(server);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(
      `${options.host}:${options.port}`,
      ServerCredentials.createInsecure(),
      (error, bound) => {
        if (error !== null) reject(error);
        else resolve(bound);
      },
    );
  });
  const stopTurningAway = keepTurningAway(scope, server, `${options.host}:${port}`);
  scope.onClose('grpc server', () => {
    stopTurningAway();
    return shutDown(server);
  });
  return { port };
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

/** Adds the services, and the service that carries several unary calls in one message. */
function addServices(
  scope: Scope,
  server: Server,
  options: GrpcServerOptions,
  messageBytesMax: number,
): void {
  const durations = new Durations({
    name: 'placard_rpc_server_seconds',
    help: 'Duration of served calls, by method and outcome',
    registry: scope.metrics,
  });
  const byPath = new Map<string, SharedMethod>();
  for (const { definition, handlers } of options.services) {
    const implementation: UntypedServiceImplementation = {};
    for (const [name, method] of Object.entries(definition)) {
      if (method.responseStream) {
        implementation[name] = streamHandler(scope, name, handlers[name] as StreamHandler);
        continue;
      }
      const handler = traceHandler(scope.tracing, method.path, handlers[name] as UnaryHandler);
      const answer = makeAnswerer(scope, name, handler, durations.of({ method: name }));
      implementation[name] = unaryHandler(answer);
      byPath.set(method.path, { ...method, answer });
    }
    server.addService(asServiceDefinition(definition), implementation);
  }
  const methods = { byPath, messageBytesMax };
  server.addService(asServiceDefinition(SharingService), {
    call: batchHandler(methods),
    exchange: exchangeHandler(methods, scope.stopping),
  });
}

function unaryHandler(answer: Answerer) {
  return (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>): void => {
    answer(call.request, contextOf(call), (given) => {
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
        if (!closed.signal.aborted) scope.log.warn({ method: name, err: error }, 'stream failed');
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
