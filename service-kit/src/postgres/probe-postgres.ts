import { messageOf } from '../process/errors.js';
import { keepProbing } from '../background/keep-probing.js';
import { addressOf } from '../stores/store-address.js';
import { makePool, type PostgresOptions } from './postgres-pool.js';
import type { Scope } from '../process/scope.js';
import { refusesWrites } from './postgres-faults.js';
import { loadText } from '../files/text-file.js';

const probeSql = loadText(import.meta.url, './probe-postgres.sql');

const ANSWER_MS_MAX = 2_000;
/**
 * Life of a connection of the probe, in seconds. Changed settings of the database or the role apply to new connections
 * only. Idle connections of a pool end equally soon.
 */
const CONNECTION_LIFE_SECONDS = 10;
/**
 * The commit is synced here and waits for no standby, because a connection that waits for a standby is not freed when
 * the probe gives it up. Rows beyond the small memory go to the disk.
 */
const SESSION = '-c synchronous_commit=local -c work_mem=64kB';

/**
 * Keeps the health component `postgres` up to date: whether the database answers and takes writes. The probe uses its
 * own connection, which is neither traced nor counted among the pools.
 */
export function probePostgres(scope: Scope, options: PostgresOptions): void {
  const pool = makePool(
    {
      ...addressOf(options),
      poolMax: 1,
      statementTimeoutMs: ANSWER_MS_MAX,
      connectTimeoutMs: ANSWER_MS_MAX,
      lifeSeconds: CONNECTION_LIFE_SECONDS,
      session: SESSION,
    },
    () => undefined,
  );
  const check = async (): Promise<void> => {
    let refusal: string | null;
    try {
      const { rows } = await pool.query<{ refusal: string | null }>(probeSql);
      refusal = rows[0]?.refusal ?? null;
    } catch (error) {
      const reason = messageOf(error);
      throw new Error(refusesWrites(error) ? `it takes no writes: ${reason}` : reason, { cause: error });
    }
    if (refusal !== null) throw new Error(refusal);
  };
  scope.onClose('pool of the probe of postgres', () => pool.end());
  keepProbing(scope, { name: 'postgres', optional: options.optional ?? false, check });
}
