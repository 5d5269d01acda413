import { Client, status, type ChannelOptions, type ServiceError } from '@grpc/grpc-js';
import { openBreaker, type Breaker } from '../breaker/breaker.js';
import { GuardedCall } from '../breaker/guarded-call.js';
import { AppError, toAppError } from '../process/errors.js';
import type { Scope } from '../process/scope.js';
import { sendKey } from './access/call-keys.js';
import { clientCredentials } from './access/credentials.js';
import { DEFAULT_BUDGET_MS, nextDeadline, type CallContext } from './call-context.js';
import { CallStreams } from './streams/call-streams.js';
import type { Definition, RpcClient } from './definitions.js';
import type { Observe } from '../process/durations.js';
import { MEMBER_MS_MAX, MESSAGE_BYTES_MAX } from './limits.js';
import { OutgoingCall, sendAlone, type Peer } from './outgoing-call.js';
import { RenewedChannel } from './renewed-channel.js';
import { isRetried } from './call-table.js';
import { figuresOf } from './rpc-figures.js';
import { traceCall } from './trace-calls.js';
import { fromServiceError } from './wire-errors.js';

/** Prefix of the paths of the product's services. */
const OUR_SERVICES = '/placard.';

/**
 * The outlier detection of grpc-js is not used. It judges the outcomes of messages, and a silent replica has none before
 * deadlines pass. {@link CallStreams} stops using such a replica much earlier.
 */
const CHANNEL_OPTIONS: ChannelOptions = {
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.initial_reconnect_backoff_ms': 100,
  // A restarted peer is found again within a moment. A failed attempt costs next to nothing.
  'grpc.max_reconnect_backoff_ms': 250,
  // A name is looked up again when a connection ends. The default pause of 30 seconds would be longer than a rollout.
  'grpc.dns_min_time_between_resolutions_ms': 2_000,
  // Otherwise each look-up also asks for a TXT record, which could replace the configuration above.
  'grpc.service_config_disable_resolution': 1,
  // Bytes of one call that grpc-js keeps for a retry if no server has seen the call. grpc-js counts these bytes as
  // sent, so a stream whose server hangs counts as full only beyond them.
  'grpc.per_rpc_retry_buffer_size': 64 * 1024,
  // Each channel has connections of its own.
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_channelz': 0,
};

/** The address of a peer and the time limit of its calls. */
export interface RpcClientOptions {
  /**
   * `host:port`. `dns:///host:port` balances over all addresses of a name, `ipv4:address:port,…` over the listed ones.
   */
  readonly address: string;
  /** Name of the peer, for errors and metrics. */
  readonly name: string;
  /** The service that the certificate of the peer must name; default `name`. */
  readonly service?: string;
  /** Longest time of one call, in milliseconds; default 2,000. */
  readonly budgetMs?: number;
  /** Largest message in either direction, in bytes; default {@link MESSAGE_BYTES_MAX}. */
  readonly messageBytesMax?: number;
  /** A key that the peer wants, see `GrpcServerOptions.keys`. Undefined: none is sent. */
  readonly key?: string | undefined;
}

type Method = Definition[string];

/**
 * Opens the one client of a process for a peer, whether or not the peer is up. Unary calls carry the deadline of the
 * caller minus the reserve of this hop. Every failure is an AppError (`unavailable` when the peer cannot be reached).
 * Calls made at the same time share a frame of a long-lived stream; their results do not depend on that. Each method of the
 * product's services whose calls take 3 seconds at most has a breaker, because methods of one peer depend on different parts.
 */
export function openGrpcClient<D extends Definition>(
  scope: Scope,
  definition: D,
  options: RpcClientOptions,
): RpcClient<D> {
  const messageBytesMax = options.messageBytesMax ?? MESSAGE_BYTES_MAX;
  const connecting = clientCredentials(scope, options.service ?? options.name, options.address);
  const open = (): Client =>
    new Client(options.address, connecting.credentials, {
      ...CHANNEL_OPTIONS,
      ...connecting.options,
      ...(options.key === undefined ? {} : { interceptors: [sendKey(options.key)] }),
      'grpc.max_receive_message_length': messageBytesMax,
      'grpc.max_send_message_length': messageBytesMax,
    });
  const channel = new RenewedChannel(open, scope.random);
  const figures = figuresOf(scope);
  const messages = figures.messages.labels(options.name);
  const peer: Peer = {
    name: options.name,
    get channel() {
      return channel.current;
    },
    onMessage: () => messages.inc(),
    onSilence: () => figures.silences.inc({ peer: options.name }),
    onRetry: (isMade) => figures.retries.inc({ peer: options.name, result: isMade ? 'made' : 'over_budget' }),
  };
  const streams = new CallStreams(peer, scope.random);
  scope.onClose(`client of ${options.name}`, () => {
    streams.close();
    channel.close();
  });
  const budgetMs = options.budgetMs ?? DEFAULT_BUDGET_MS;
  const breakerOf = (method: Method, name: string): Breaker | null =>
    method.path.startsWith(OUR_SERVICES) && budgetMs <= MEMBER_MS_MAX
      ? openBreaker(scope, { dependency: `${options.name}/${name}` })
      : null;
  const client: Record<string, unknown> = {};
  for (const [name, method] of Object.entries(definition)) {
    client[name] = method.responseStream
      ? (request: unknown, signal: AbortSignal) =>
          stream(channel.current, method, request, signal, options.name)
      : unaryMethod(scope, method, {
          budgetMs,
          breaker: breakerOf(method, name),
          observe: figures.durations.of({ peer: options.name, method: name }),
          isRetried: isRetried(method.path),
          // Health checks and other foreign services do not support shared frames.
          send: method.path.startsWith(OUR_SERVICES)
            ? (call) => streams.send(call)
            : (call) => sendAlone(peer, call, () => false),
        });
  }
  return client as RpcClient<D>;
}

/** Options of the calls of a method. */
interface UnaryOptions {
  readonly budgetMs: number;
  /** Null: every call is made. */
  readonly breaker: Breaker | null;
  readonly observe: Observe;
  readonly isRetried: boolean;
  readonly send: (call: OutgoingCall) => void;
}

type UnaryMethod = (request: unknown, call?: Partial<CallContext>) => Promise<unknown>;

function unaryMethod(scope: Scope, method: Method, options: UnaryOptions): UnaryMethod {
  const { tracing } = scope;
  if (tracing === null) return (request, call) => callUnary(method, options, request, call, null);
  return (request, call) =>
    traceCall(tracing, method.path, (traceparent) => callUnary(method, options, request, call, traceparent));
}

function callUnary(
  method: Method,
  { budgetMs, breaker, observe, isRetried: mayRetry, send }: UnaryOptions,
  request: unknown,
  call: Partial<CallContext> | undefined,
  traceparent: string | null,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    let guarded: GuardedCall | null = null;
    const onError = (thrown: unknown): void => {
      const error = toAppError(thrown);
      observe(error.code, performance.now() - startedAt);
      guarded?.failed(error);
      reject(error);
    };
    const onResponse = (bytes: Buffer): void => {
      guarded?.answered();
      guarded = null;
      try {
        resolve(method.responseDeserialize(bytes));
      } catch (error) {
        onError(error);
        return;
      }
      observe('ok', performance.now() - startedAt);
    };
    try {
      const now = Date.now();
      const deadlineAt = nextDeadline(now, call?.deadlineAt ?? null, budgetMs);
      const ownBudgetMs = deadlineAt - now;
      if (breaker !== null) {
        const admitted = breaker.admit();
        if (admitted === null) throw breaker.refusal();
        const mayLeave = call?.abandonment !== undefined;
        guarded = new GuardedCall(admitted, { startedAt, budgetMs: ownBudgetMs, mayLeave });
      }
      const outgoing = new OutgoingCall({
        path: method.path,
        request: method.requestSerialize(request as never),
        deadlineAt,
        budgetMs: ownBudgetMs,
        startedAt,
        requestId: call?.requestId ?? '-',
        traceparent,
        isRetried: mayRetry,
        onResponse,
        onError,
      });
      send(outgoing);
      call?.abandonment?.onAbandoned(() => outgoing.cancel());
    } catch (error) {
      onError(error);
    }
  });
}

async function* stream(
  channel: Client,
  method: Method,
  request: unknown,
  signal: AbortSignal,
  peer: string,
): AsyncGenerator {
  const call = channel.makeServerStreamRequest(
    method.path,
    method.requestSerialize as (value: unknown) => Buffer,
    method.responseDeserialize,
    request,
  );
  const cancel = (): void => call.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for await (const response of call) yield response;
  } catch (error) {
    if (signal.aborted) return;
    const failure = error as ServiceError;
    if (typeof failure.code !== 'number')
      throw new AppError('unavailable', `${peer} broke the stream.`, { cause: error });
    if (failure.code === status.CANCELLED) return;
    throw fromServiceError(failure, peer);
  } finally {
    signal.removeEventListener('abort', cancel);
    call.cancel();
  }
}
