import { inTransaction, type Pool, type PoolClient } from '@placard/service-kit/postgres';

/** Runs several reads in one snapshot, so that they agree with each other. */
export function inSnapshot<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    return work(client);
  });
}
