import type { ClusterOptions, RedisOptions as ClientOptions } from 'ioredis';
import { parseRedisUrl, type RedisNode } from '../stores/redis-url.js';
import type { StoreAddress } from '../stores/store-address.js';
import { tlsOf } from '../stores/store-tls.js';
import { tlsConnector } from './tls-connector.js';

/** Where the client connects to, and its options of login and TLS. */
export interface RedisPlace {
  readonly nodes: readonly RedisNode[];
  /** Null: one Redis, the first of `nodes`. Otherwise options of a cluster. */
  readonly cluster: Pick<ClusterOptions, 'dnsLookup'> | null;
  /** Options of each connection. */
  readonly connection: Pick<ClientOptions, 'username' | 'password' | 'db' | 'tls' | 'Connector'>;
}

/**
 * Reads the address of a Redis. Throws when its URL is none; the settings have excluded that. `onFault` gets the errors of
 * connections with TLS.
 */
export function redisPlaceOf(
  address: StoreAddress,
  onFault: (error: Error) => void = () => undefined,
): RedisPlace {
  const parsed = parseRedisUrl(address.url);
  if (parsed === null) throw new Error('the URL of Redis has a wrong form');
  const { nodes, isCluster, isTls, username, password, database } = parsed;
  const tls = isTls ? tlsOf(address) : undefined;
  return {
    nodes,
    // The client would connect to the addresses of names, and certificates have the names.
    cluster: isCluster ? (isTls ? { dnsLookup: (name, done) => done(null, name) } : {}) : null,
    connection: {
      ...(username === null ? {} : { username }),
      ...(password === null ? {} : { password }),
      ...(isCluster ? {} : { db: database }),
      ...(tls === undefined ? {} : { tls, Connector: tlsConnector(onFault) }),
    },
  };
}
