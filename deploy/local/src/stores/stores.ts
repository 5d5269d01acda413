import { parseRedisUrl, REDIS_URL_FORMS } from '@placard/service-kit';
import net from 'node:net';
import { given } from '../settings/given.js';
import type { Surroundings } from '../process/managed-process.js';
import { StartError } from '../start-error.js';
import { startPostgres, tryConnect, type StoreOptions } from './postgres.js';
import { findRedis } from './redis-binary.js';
import { clusterUrlOf, startRedisCluster, type RedisCluster } from './redis-cluster.js';
import { startRedis } from './redis.js';

/** Addresses of the two stores. That of a built-in database has its superuser. */
export interface Stores {
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

/** What {@link openStores} needs. */
export interface StoresOptions extends Omit<StoreOptions, 'port'> {
  readonly postgresPort: number;
  readonly redisPort: number;
  /** A cluster instead of one Redis on `redisPort`; null: one Redis. */
  readonly redisCluster: RedisCluster | null;
  readonly postgresPassword: string;
  /** Password of the built-in Redis; null: none. A cluster has none. */
  readonly redisPassword: string | null;
  /** A `DATABASE_URL` or `REDIS_URL` in it replaces the built-in store. */
  readonly env: NodeJS.ProcessEnv;
}

const CONNECT_MS_MAX = 3_000;

/** Starts the stores that the environment does not name, and checks that the named ones answer. */
export async function openStores(options: StoresOptions, around: Surroundings): Promise<Stores> {
  const [databaseUrl, redisUrl] = await Promise.all([
    openDatabase(options, around),
    openRedis(options, around),
  ]);
  return { databaseUrl, redisUrl };
}

async function openDatabase(options: StoresOptions, around: Surroundings): Promise<string> {
  const named = given(options.env, 'DATABASE_URL') ?? '';
  if (named === '') {
    const { postgresPort: port, postgresPassword: password } = options;
    const { url } = await startPostgres({ ...options, port, password }, around);
    around.say.info(`Postgres answers on 127.0.0.1:${port}.`);
    return url;
  }
  if (!/^postgres(?:ql)?:\/\//.test(named)) throw new StartError('DATABASE_URL must start with postgres://');
  const fault = await tryConnect({
    url: named,
    caFile: given(options.env, 'DATABASE_CA_FILE'),
    serverName: given(options.env, 'DATABASE_SERVER_NAME'),
  });
  if (fault !== null) {
    throw new StartError(
      `The database that DATABASE_URL names cannot be used (${fault}). Start it, correct DATABASE_URL or leave it out.`,
    );
  }
  around.say.info('Postgres: the one that DATABASE_URL names.');
  return named;
}

async function openRedis(options: StoresOptions, around: Surroundings): Promise<string> {
  const named = given(options.env, 'REDIS_URL') ?? '';
  if (named === '') {
    const binary = await findRedis(options.cacheDir, around);
    const { redisCluster } = options;
    if (redisCluster !== null) {
      await startRedisCluster(redisCluster, options, binary, around);
      around.say.info(`Redis ${binary.version}: a cluster of ${redisCluster.nodes.length} nodes answers.`);
      return clusterUrlOf(redisCluster);
    }
    const { redisPort: port, redisPassword: password } = options;
    const { url } = await startRedis({ ...options, port, password }, binary, around);
    around.say.info(`Redis ${binary.version} answers on 127.0.0.1:${port} (${binary.origin}).`);
    return url;
  }
  const [first] = parseRedisUrl(named)?.nodes ?? [];
  if (first === undefined) throw new StartError(`REDIS_URL must be a URL: ${REDIS_URL_FORMS}`);
  if (!(await canConnect(first))) {
    throw new StartError(
      `No Redis answers at ${first.host}:${first.port}, which REDIS_URL names. Start it, or leave REDIS_URL out.`,
    );
  }
  around.say.info('Redis: the one that REDIS_URL names.');
  return named;
}

function canConnect(node: { readonly host: string; readonly port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ ...node, timeout: CONNECT_MS_MAX });
    const done = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => done(true));
    socket.once('timeout', () => done(false));
    socket.once('error', () => done(false));
  });
}
