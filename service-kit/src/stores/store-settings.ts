import { isIP } from 'node:net';
import { z } from 'zod';
import { env, type ConfigOf, type ConfigRule } from '../process/config.js';
import { messageOf } from '../process/errors.js';
import { isLoopback } from '../process/missing-tls.js';
import { rpcShape } from '../process/rpc-settings.js';
import { databaseUrlFault, parseDatabaseUrl, plainDatabaseHosts } from './database-url.js';
import { parseRedisUrl, plainRedisHosts, REDIS_URL_FORMS } from './redis-url.js';
import type { StoreAddress } from './store-address.js';
import { readAuthorities } from './store-tls.js';

/** Postgres, as `postgres://user:password@host:port/database`, with TLS `…?sslmode=verify-full`. */
export const databaseUrl = env.url(['postgres:', 'postgresql:']).superRefine((value, context) => {
  const message = URL.canParse(value) ? databaseUrlFault(value) : null;
  if (message !== null) context.addIssue({ code: 'custom', message });
});

const REDIS_WANTED = `must be a URL: ${REDIS_URL_FORMS}`;

/** Redis, in one of {@link REDIS_URL_FORMS}. */
export const redisUrl = z
  .string({ error: `is not set; ${REDIS_WANTED}` })
  .refine((value) => parseRedisUrl(value) !== null, REDIS_WANTED);

const caFile = z
  .string()
  .superRefine((file, context) => {
    try {
      readAuthorities(file);
    } catch (error) {
      context.addIssue({ code: 'custom', message: messageOf(error) });
    }
  })
  .optional();

const serverName = z
  .string()
  .refine(
    (name) => isIP(name) === 0 && /^[A-Za-z0-9._-]{1,253}$/.test(name),
    'must be the host name in the certificate, without a port, and no IP address',
  )
  .optional();

const { REQUIRE_TLS } = rpcShape;

/** The settings of Postgres. */
export const databaseShape = {
  REQUIRE_TLS,
  DATABASE_URL: databaseUrl,
  DATABASE_CA_FILE: caFile,
  DATABASE_SERVER_NAME: serverName,
};

/** The settings of Redis. */
export const redisShape = {
  REQUIRE_TLS,
  REDIS_URL: redisUrl,
  REDIS_CA_FILE: caFile,
  REDIS_SERVER_NAME: serverName,
};

/** The address of Postgres in the settings. */
export function databaseOf(config: ConfigOf<typeof databaseShape>): StoreAddress {
  return {
    url: config.DATABASE_URL,
    caFile: config.DATABASE_CA_FILE,
    serverName: config.DATABASE_SERVER_NAME,
  };
}

/** The address of Redis in the settings. */
export function redisOf(config: ConfigOf<typeof redisShape>): StoreAddress {
  return { url: config.REDIS_URL, caFile: config.REDIS_CA_FILE, serverName: config.REDIS_SERVER_NAME };
}

const isPlainDatabase = (url: string): boolean =>
  databaseUrl.safeParse(url).success && !parseDatabaseUrl(url).isTls;
const isPlainRedis = (url: string): boolean => parseRedisUrl(url)?.isTls === false;

const DATABASE_REMEDY = 'end DATABASE_URL with ?sslmode=verify-full';
const REDIS_REMEDY = 'begin REDIS_URL with rediss:// or rediss-cluster://';

/**
 * A file of authorities or a server name with a URL that does not ask for TLS is a fault: it would do nothing. So is such a
 * URL of another machine when `REQUIRE_TLS` is 1.
 */
export const storesNeedTls: ConfigRule = (given) => {
  const { DATABASE_URL: database = '', REDIS_URL: redis = '', REQUIRE_TLS: required } = given;
  const faultsOf = (names: readonly string[], remedy: string): readonly string[] =>
    names.filter((name) => given[name] !== undefined).map((name) => `${name}: needs TLS; ${remedy}`);
  const beyond = (name: string, hosts: readonly string[], remedy: string): readonly string[] =>
    required !== '1' || hosts.every(isLoopback)
      ? []
      : [`${name}: reaches another machine without TLS, and REQUIRE_TLS is 1; ${remedy}`];
  return [
    ...(isPlainDatabase(database)
      ? [
          ...faultsOf(['DATABASE_CA_FILE', 'DATABASE_SERVER_NAME'], DATABASE_REMEDY),
          ...beyond('DATABASE_URL', plainDatabaseHosts(database), DATABASE_REMEDY),
        ]
      : []),
    ...(isPlainRedis(redis)
      ? [
          ...faultsOf(['REDIS_CA_FILE', 'REDIS_SERVER_NAME'], REDIS_REMEDY),
          ...beyond('REDIS_URL', plainRedisHosts(redis), REDIS_REMEDY),
        ]
      : []),
  ];
};
