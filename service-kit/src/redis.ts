import { createHash } from 'node:crypto';
import { Cluster, Redis } from 'ioredis';
import { CLUSTER_SCHEME } from './config.js';
import { messageOf } from './errors.js';
import { isForgottenScript } from './forgotten-script.js';
import { loadText } from './text-file.js';
import type { Scope } from './scope.js';
import { traceRedis } from './tracing/trace-redis.js';

/** One Redis or a Redis Cluster; commands are the same. */
export type RedisClient = Redis | Cluster;

/** Longest that one command may take, in milliseconds; then it fails. */
const COMMAND_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;
const RECONNECT_MS_MAX = 1_000;
const PROBE_INTERVAL_MS = 1_000;
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
    // After a failover the old primary answers READONLY: connect again, and the command is sent once more.
    reconnectOnError: (error: Error) =>
      error.message.startsWith('READONLY') ? (2 as const) : (false as const),
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
  return new GatheringRedis(options.url, {
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

/**
 * Connects to Redis, survives its restarts, and keeps the health component `redis` true to what a probe each second
 * sees. Commands fail fast while it is away unless `waitsForRedis` is set.
 */
export function openRedis(scope: Scope, options: RedisOptions): RedisClient {
  const client = connectRedis(options);
  if (scope.tracing !== null) traceRedis(scope.tracing, client, (hash) => scriptNames.get(hash));
  const component = scope.health.register('redis', { optional: options.optional ?? true });
  client.on('error', (error: Error) => component.set(false, error.message));
  const probe = async (): Promise<void> => {
    try {
      await client.ping();
      component.set(true);
    } catch (error) {
      component.set(false, messageOf(error));
    }
  };
  client.on('ready', () => void probe());
  const timer = setInterval(() => void probe(), PROBE_INTERVAL_MS);
  scope.onClose('redis', () => {
    clearInterval(timer);
    client.disconnect();
  });
  return client;
}

/** A Lua script that runs by its hash and is sent whole to a node that does not know it (restart, flush, failover). */
export interface RedisScript {
  /** All keys must share one hash tag. */
  run(redis: RedisClient, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
}

/** Names of loaded scripts by their hash, for traces. */
const scriptNames = new Map<string, string>();

/** Makes a script of a text. */
export function makeScript(text: string): RedisScript {
  const hash = hashOf(text);
  return {
    async run(redis, keys, args) {
      try {
        return await redis.evalsha(hash, keys.length, ...keys, ...args);
      } catch (error) {
        if (!isForgottenScript(error)) throw error;
        return await redis.eval(text, keys.length, ...keys, ...args);
      }
    },
  };
}

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

/** Loads a script from a `.lua` file beside the calling module. */
export function loadScript(moduleUrl: string, name: string): RedisScript {
  const text = loadText(moduleUrl, name);
  scriptNames.set(hashOf(text), name.replace(/^.*\/|\.lua$/g, ''));
  return makeScript(text);
}
