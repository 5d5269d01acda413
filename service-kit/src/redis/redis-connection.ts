import { Cluster, Redis } from 'ioredis';
import type { StoreAddress } from '../stores/store-address.js';
import { redisPlaceOf } from './redis-address.js';

/** One Redis or a Redis Cluster. Both have the same commands. */
export type RedisClient = Redis | Cluster;

/**
 * Longest time that a request waits for a command, in milliseconds: more than twice a slow network, and little of the
 * second and a half that phones wait. Breakers in front of Redis use it.
 */
export const COMMAND_MS_MAX = 500;
/** Longest time of one command, in milliseconds. After it the command fails, whether or not a request waits for it. */
const COMMAND_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;
const RECONNECT_MS_MAX = 1_000;
/**
 * Most attempts of a command in a cluster: enough to follow a slot that has moved, and few enough to fail within half a
 * second while a lost master has no successor.
 */
const CLUSTER_TRIES_MAX = 4;

/** Settings of a connection. */
export interface RedisOptions extends StoreAddress {
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
  /** Gets the errors of connections with TLS, such as a refused certificate. */
  readonly onTlsFault?: (error: Error) => void;
  /** True: the process is ready without Redis and serves degraded. Default true. */
  readonly optional?: boolean;
}

/** A connection that breaks is replaced at once. Further attempts wait longer each time. `attempt`: from 1. */
function backoffMs(attempt: number): number {
  return attempt === 1 ? 0 : Math.min(50 * 2 ** Math.min(attempt, 6), RECONNECT_MS_MAX);
}

/**
 * Connects without a health component or a closer; see {@link openRedis}. The automatic pipelines of the client are not
 * used: they take more CPU time than the saved writes, and each waits for the previous one.
 */
export function connectRedis(options: RedisOptions): RedisClient {
  const waits = options.waitsForRedis ?? false;
  const { nodes, cluster, connection } = redisPlaceOf(options, options.onTlsFault);
  const redisOptions = {
    ...connection,
    connectionName: options.name,
    connectTimeout: CONNECT_TIMEOUT_MS,
    ...(waits ? {} : { commandTimeout: COMMAND_TIMEOUT_MS }),
    enableReadyCheck: options.isProbe !== true,
    // After a failover the old primary answers READONLY. The client then reconnects and sends the command again.
    reconnectOnError: (error: Error) =>
      options.isProbe !== true && error.message.startsWith('READONLY') ? (2 as const) : (false as const),
  };
  if (cluster !== null) {
    return new Cluster([...nodes], {
      ...cluster,
      redisOptions: { ...redisOptions, maxRetriesPerRequest: null },
      enableOfflineQueue: waits,
      clusterRetryStrategy: backoffMs,
      ...(waits ? {} : { maxRedirections: CLUSTER_TRIES_MAX }),
      slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
    });
  }
  const Client = options.sendsAtOnce === true ? Redis : GatheringRedis;
  return new Client({
    ...nodes[0],
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
