import { Cluster, type Redis } from 'ioredis';
import { messageOf } from '../process/errors.js';
import { keepProbing } from '../background/keep-probing.js';
import { connectRedis, type RedisClient, type RedisOptions } from './redis-connection.js';
import { addressOf } from '../stores/store-address.js';
import type { Scope } from '../process/scope.js';
import { connectionFault, CONNECTION_CLOSED, redisDetail } from './redis-faults.js';

/** Hash tags of the keys of the probe. There are so many that each master of a usual cluster has some. */
const TAGS = Array.from({ length: 64 }, (_, index) => `{health-${index}}`);
/** The key is removed in the same message. If that fails, it expires after this time. */
const KEY_LIFE_MS = 10_000;

/** Pause before a reconnect. The next check of the probe comes later. */
const RECONNECT_MS = 500;

/**
 * Keeps the health component `redis` up to date: whether every master answers and takes writes, and whether `work`, the
 * client of the process, is connected. The probe uses its own connection, so it never waits behind other work.
 */
export function probeRedis(scope: Scope, work: RedisClient, options: RedisOptions): void {
  const faults = new Map<RedisClient, string>();
  const note = (one: RedisClient, fault: string): void => {
    // After a refused certificate a cluster reports only that the connection is closed.
    if (fault !== CONNECTION_CLOSED || !faults.has(one)) faults.set(one, fault);
  };
  const client: RedisClient = connectRedis({
    ...addressOf(options),
    name: `${options.name}:health`,
    isProbe: true,
    onTlsFault: (error) => note(client, error.message),
  });
  const write =
    client instanceof Cluster ? makeClusterWrite(client, options.name) : makeWrite(client, options);
  const requireReady = (one: RedisClient): void => {
    if (one.status !== 'ready') throw new Error(faults.get(one) ?? 'not connected');
  };
  const probe = keepProbing(scope, {
    name: 'redis',
    optional: options.optional ?? true,
    async check() {
      requireReady(client);
      await write();
      requireReady(work);
    },
  });
  for (const one of [work, client]) {
    one.on('error', (error: Error) => {
      note(one, connectionFault(error));
      probe.lookNow();
    });
    one.on('ready', () => {
      faults.delete(one);
      probe.lookNow();
    });
  }
  // Before the probe closes: a check that is under way ends at once.
  scope.onClose('connection of the probe of redis', () => client.disconnect());
}

/**
 * Writes to a single Redis. After a failover its name may still lead to a replica; the function then reconnects before
 * the next write.
 */
function makeWrite(client: Redis, { name }: RedisOptions): () => Promise<void> {
  const reconnect = (): void => {
    if (client.status === 'ready') client.disconnect(true);
  };
  return async () => {
    try {
      await writeAndRemove(client, `${TAGS[0] ?? ''}:${name}`);
    } catch (error) {
      if (messageOf(error).startsWith('READONLY')) setTimeout(reconnect, RECONNECT_MS).unref();
      throw new Error(redisDetail(error), { cause: error });
    }
  };
}

/** Writes to every master a key that belongs to it. A master that none of the tags belongs to only has to answer. */
function makeClusterWrite(cluster: Cluster, name: string): () => Promise<void> {
  let slots: readonly number[] | null = null;
  const probeNode = async (node: Redis, tagSlots: readonly number[]): Promise<void> => {
    const { host = '', port = 0 } = node.options;
    const address = `${host}:${port}`;
    const index = tagSlots.findIndex((slot) => cluster.slots[slot]?.[0] === address);
    try {
      if (index < 0) await node.ping();
      else await writeAndRemove(node, `${TAGS[index] ?? ''}:${name}`);
    } catch (error) {
      throw new Error(`${address}: ${redisDetail(error)}`, { cause: error });
    }
  };
  return async () => {
    // Each node stores which master has which slot. The slot of a tag never changes.
    slots ??= (await Promise.all(TAGS.map((tag) => cluster.cluster('KEYSLOT', tag)))).map(Number);
    const tagSlots = slots;
    await Promise.all(cluster.nodes('master').map((node) => probeNode(node, tagSlots)));
  };
}

/** Rejects with the error of Redis, for example when its memory is full, its disk fails, or it is a replica. */
async function writeAndRemove(node: Redis, key: string): Promise<void> {
  const answers = await node.pipeline().set(key, '1', 'PX', KEY_LIFE_MS).del(key).exec();
  const fault = answers?.find(([error]) => error !== null)?.[0];
  if (fault !== undefined && fault !== null) throw fault;
}
