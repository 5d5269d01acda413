import type { RedisClient } from '@placard/service-kit';

/** A copy of everything that a Redis holds at one moment. */
export type RedisCopy = readonly {
  readonly key: string;
  readonly lifeMs: number;
  readonly content: Buffer;
}[];

/** Takes the copy. */
export async function copyOf(redis: RedisClient): Promise<RedisCopy> {
  const keys = await redis.keys('*');
  return Promise.all(
    keys.map(async (key) => {
      const [lifeMs, content] = await Promise.all([redis.pttl(key), redis.dumpBuffer(key)]);
      return { key, lifeMs: Math.max(0, lifeMs), content };
    }),
  );
}

/** Makes the Redis what it was: as after a failover to a replica that had not received the rest, or an older snapshot. */
export async function goBackTo(redis: RedisClient, copy: RedisCopy): Promise<void> {
  await redis.flushdb();
  for (const { key, lifeMs, content } of copy) await redis.restore(key, lifeMs, content, 'REPLACE');
}
