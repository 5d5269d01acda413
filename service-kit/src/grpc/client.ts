import { Client, credentials, Metadata, status, type ChannelOptions, type ServiceError } from '@grpc/grpc-js';
import { Histogram } from 'prom-client';
import { AppError, toAppError } from '../errors.js';
import type { Scope } from '../scope.js';
import { DEFAULT_BUDGET_MS, nextDeadline, type CallContext } from './call-context.js';
import type { Definition, RpcClient } from './definitions.js';
import { fromServiceError } from './wire-errors.js';

/** Largest message either way, in bytes. */
export const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
const DURATION_BUCKETS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5];

/** Pings are far rarer than the servers' minimum, so that no server judges them as abuse. */
const CHANNEL_OPTIONS: ChannelOptions = {
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.keepalive_time_ms': 60_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.keepalive_permit_without_calls': 0,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.enable_channelz': 0,
};

/** Where a peer is and how long it may take. */
export interface RpcClientOptions {
  /** `host:port`, or `dns:///host:port` to balance over all addresses of a name. */
  readonly address: string;
  /** The peer's name, for errors and metrics. */
  readonly name: string;
  /** Longest that one call may take, in milliseconds; default 2,000. */
  readonly budgetMs?: number;
  /** Largest message either way, in bytes; default {@link MESSAGE_BYTES_MAX}. */
  readonly messageBytesMax?: number;
}

type Method = Definition[string];

/**
 * One client per peer and process, opened at start whether or not the peer is up. Unary calls carry the caller's
 * deadline less this hop's reserve; every failure is an AppError (`unavailable` when the peer cannot be reached).
 */
export function openGrpcClient<D extends Definition>(
  scope: Scope,
  definition: D,
  options: RpcClientOptions,
): RpcClient<D> {
  const messageBytesMax = options.messageBytesMax ?? MESSAGE_BYTES_MAX;
  const channel = new Client(options.address, credentials.createInsecure(), {
    ...CHANNEL_OPTIONS,
    'grpc.max_receive_message_length': messageBytesMax,
    'grpc.max_send_message_length': messageBytesMax,
  });
  scope.onClose(`client of ${options.name}`, () => channel.close());
  const durations = durationsOf(scope);
  const client: Record<string, unknown> = {};
  for (const [name, method] of Object.entries(definition)) {
    client[name] = method.responseStream
      ? (request: unknown, signal: AbortSignal) => stream(channel, method, request, signal, options.name)
      : async (request: unknown, call: Partial<CallContext> = {}) => {
          const startedAt = performance.now();
          let outcome = 'ok';
          try {
            const deadlineAt = nextDeadline(
              Date.now(),
              call.deadlineAt ?? null,
              options.budgetMs ?? DEFAULT_BUDGET_MS,
            );
            return await unary(
              channel,
              method,
              request,
              { deadlineAt, requestId: call.requestId ?? '-' },
              options.name,
            );
          } catch (error) {
            outcome = toAppError(error).code;
            throw error;
          } finally {
            durations.observe(
              { peer: options.name, method: name, outcome },
              (performance.now() - startedAt) / 1_000,
            );
          }
        };
  }
  return client as RpcClient<D>;
}

function durationsOf(scope: Scope): Histogram<'peer' | 'method' | 'outcome'> {
  const name = 'placard_rpc_client_seconds';
  const known = scope.metrics.getSingleMetric(name) as Histogram<'peer' | 'method' | 'outcome'> | undefined;
  return (
    known ??
    new Histogram({
      name,
      help: 'Duration of calls to other services, by peer, method and outcome',
      labelNames: ['peer', 'method', 'outcome'],
      buckets: DURATION_BUCKETS,
      registers: [scope.metrics],
    })
  );
}

function unary(
  channel: Client,
  method: Method,
  request: unknown,
  call: CallContext,
  peer: string,
): Promise<unknown> {
  const metadata = new Metadata();
  metadata.set('x-request-id', call.requestId);
  return new Promise((resolve, reject) => {
    channel.makeUnaryRequest(
      method.path,
      method.requestSerialize as (value: unknown) => Buffer,
      method.responseDeserialize,
      request,
      metadata,
      { deadline: call.deadlineAt },
      (error, response) => {
        if (error !== null) reject(fromServiceError(error, peer));
        else resolve(response);
      },
    );
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
