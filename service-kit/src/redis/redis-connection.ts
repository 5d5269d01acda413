import { Cluster, Redis } from 'ioredis';
import { CLUSTER_SCHEME } from '../process/config.js';

/** One Redis or a Redis Cluster. Both have the same commands. */
export type RedisClient = Redis | Cluster;

/** Longest time of one command, in milliseconds. After it the command fails. */
const COMMAND_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;
const RECONNECT_MS_MAX = 1_000;
/**
 * Most attempts of a command in a cluster: enough to follow a slot that has moved, and few enough to fail within half a
 * second while a lost master has no successor.
 */
const CLUSTER_TRIES_MAX = 4;

/** Settings of a connection. */
export interface RedisOptions {
  /** `redis://host:port/db`, with TLS `rediss://host:port/db`, or `redis-cluster://host:port,host:port` */
  readonly url: string;
  /** Shown by CLIENT LIST of Redis. */
  readonly name: string;
  /** False (default), for requests: commands fail at once while Redis is unavailable. True, for queues: they wait. */
  readonly waitsForRedis?: boolean;
  /**
   * True: for a probe. Every reply of Redis counts as an answer, even that it is a replica or still loads. Default
   * false.
   */
  readonly isProbe?: boolean;
  /**
   * True: each command is sent when it is made; the caller batches its commands itself. Default false: once per turn.
   */
  readonly sendsAtOnce?: boolean;
  /** True: the process is ready without Redis and serves degraded. Default true. */
  readonly optional?: boolean;
}

function backoffMs(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 6), RECONNECT_MS_MAX);
}

/**
 * Connects without a health component or a closer; see {@link openRedis}. The automatic pipelines of the client are not
 * used: they take more CPU time than the saved writes, and each waits for the previous one.
 */
export function connectRedis(options: RedisOptions): RedisClient {
  const waits = options.waitsForRedis ?? false;
  const redisOptions = {
    connectionName: options.name,
    connectTimeout: CONNECT_TIMEOUT_MS,
    ...(waits ? {} : { commandTimeout: COMMAND_TIMEOUT_MS }),
    enableReadyCheck: options.isProbe !== true,
    // After a failover the old primary answers READONLY. The client then reconnects and sends the command again.
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

/** Sends the commands of one turn of the event loop in one write, without waiting for earlier answers. */
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
