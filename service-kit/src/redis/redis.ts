import { createHash } from 'node:crypto';
import { isForgottenScript } from './forgotten-script.js';
import { probeRedis } from './probe-redis.js';
import { connectRedis, type RedisClient, type RedisOptions } from './redis-connection.js';
import { loadText } from '../files/text-file.js';
import { watchMissingTls } from '../process/missing-tls.js';
import type { Scope } from '../process/scope.js';
import { plainRedisHosts } from '../stores/redis-url.js';
import { traceRedis } from './trace-redis.js';

/**
 * Opens a client that survives restarts of Redis. A probe on its own connection updates the health component `redis`
 * each second; a Redis that takes no writes is not healthy. Commands fail fast while Redis is unavailable, unless
 * `waitsForRedis` is set.
 */
export function openRedis(scope: Scope, options: RedisOptions): RedisClient {
  const client = connectRedis({
    ...options,
    onStaleAuthorities: (reason) =>
      scope.log.error({ reason }, 'authorities of redis could not be read again: the old ones stay'),
  });
  watchMissingTls(scope).reachesRedis(plainRedisHosts(options.url));
  if (scope.tracing !== null) traceRedis(scope.tracing, client, (hash) => scriptNames.get(hash));
  probeRedis(scope, client, options);
  scope.onClose('redis', () => client.disconnect());
  return client;
}

/**
 * A Lua script that is called by its hash. A node that has not loaded it (restart, flush, failover) gets the whole
 * text.
 */
export interface RedisScript {
  /** On a cluster all keys must have the same hash tag. */
  run(redis: RedisClient, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
}

/** Names of loaded scripts by their hash, for traces. */
const scriptNames = new Map<string, string>();

/** Makes a script from a text. */
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
