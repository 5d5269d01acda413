import { Cluster, Redis } from 'ioredis';
import { CLUSTER_SCHEME } from '../process/config.js';

/** One Redis or a Redis Cluster; commands are the same. */
export type RedisClient = Redis | Cluster;

/** Longest that one command may take, in milliseconds; then it fails. */
const COMMAND_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;
const RECONNECT_MS_MAX = 1_000;
/**
 * How often a request's command is sent to a node of a cluster at most: enough to follow a slot that has moved, and few
 * enough to fail within half a second while a lost master has no successor.
 */
const CLUSTER_TRIES_MAX = 4;

/** Settings of a connection. */
export interface RedisOptions {
  /** `redis://host:port/db`, with TLS `rediss://host:port/db`, or `redis-cluster://host:port,host:port` */
  readonly url: string;
  /** Shown by Redis's CLIENT LIST. */
  readonly name: string;
  /** False (default) for requests: fail at once while Redis is away. True for queues: wait. */
  readonly waitsForRedis?: boolean;
  /** True: for a probe, to which every answer of Redis is one, be it that it is a replica or still loads. Default false. */
  readonly isProbe?: boolean;
  /** True: commands leave as they are made, for a caller that gathers what it wants itself. Default false: once a turn. */
  readonly sendsAtOnce?: boolean;
  /** True: readiness does not depend on it, the process serves degraded. Default true. */
  readonly optional?: boolean;
}

function backoffMs(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 6), RECONNECT_MS_MAX);
}

/**
 * Connects without health or closing; see {@link openRedis}. The client's own automatic pipelines are not used: they
 * cost more CPU than the writes that they save, and each waits for the one before.
 */
export function connectRedis(options: RedisOptions): RedisClient {
  const waits = options.waitsForRedis ?? false;
  const redisOptions = {
    connectionName: options.name,
    connectTimeout: CONNECT_TIMEOUT_MS,
    ...(waits ? {} : { commandTimeout: COMMAND_TIMEOUT_MS }),
    enableReadyCheck: options.isProbe !== true,
    // After a failover the old primary answers READONLY: connect again, and the command is sent once more.
    reconnectOnError: (error: Error) =>
      options.isProbe !== true && error.message.startsWith('READONLY') ? (2 as const) : (false as const),
  };
  if (options.url.startsWith(CLUSTER_SCHEME)) {
    const nodes = options.url.slice(CLUSTER_SCHEME.length).split(',').map(toNode);
    return new Cluster(nodes, {
      redisOptions: { ...redisOptions, maxRetriesPerRequest: null },
      enableOfflineQueue: waits,
      clusterRetryStrategy: backoffMs,
      ...(waits ? {} : { maxRedirections: CLUSTER_TRIES_MAX }),
      slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
    });
  }
  const Client = options.sendsAtOnce === true ? Redis : GatheringRedis;
  return new Client(options.url, {
    ...redisOptions,
    maxRetriesPerRequest: waits ? null : 0,
    enableOfflineQueue: waits,
    retryStrategy: backoffMs,
  });
}

/** Commands of one turn of the event loop leave in one write, without waiting for the answers of earlier ones. */
class GatheringRedis extends Redis {
  #isGathering = false;

  override sendCommand(...args: Parameters<Redis['sendCommand']>): unknown {
    if (this.status === 'ready' && !this.#isGathering) {
      this.#isGathering = true;
      const { stream } = this;
      stream.cork();
      setImmediate(() => {
        this.#isGathering = false;
        stream.uncork();
      });
    }
    return super.sendCommand(...args);
  }
}

function toNode(text: string): { host: string; port: number } {
  const colon = text.lastIndexOf(':');
  return { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) };
}
