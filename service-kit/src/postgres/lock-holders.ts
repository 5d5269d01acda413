import { setTimeout as delay } from 'node:timers/promises';
import { loadText } from '../files/text-file.js';
import type { Queryable } from './postgres-pool.js';

const findHoldersSql = loadText(import.meta.url, './find-lock-holders.sql');

/** A session that holds a lock for which another one waits. */
export interface LockHolder {
  readonly pid: number;
  /** Its `application_name`, or the kind of process; null when this role may not see it. */
  readonly application: string | null;
  readonly role: string | null;
  /** Such as `active` or `idle in transaction`; null when this role may not see it. */
  readonly state: string | null;
  /** Age of its transaction in milliseconds; null when this role may not see it. */
  readonly transaction_ms: number | null;
}

/** What {@link watchLockHolders} gives. */
export interface LockWatch {
  /** For whom the session waited last; empty when it was never seen waiting. */
  readonly holders: () => readonly LockHolder[];
  /** Ends the watch. Throws nothing: without the watch only a message is poorer. */
  readonly stop: () => Promise<void>;
}

/** Pause between two looks, in milliseconds; several fit into one wait for a lock. */
const LOOK_MS = 50;

/**
 * Looks again and again, on a connection of its own, for whom the session `pid` waits. After a wait has failed Postgres
 * no longer tells who held the lock.
 */
export function watchLockHolders(connection: Queryable, pid: number): LockWatch {
  let last: readonly LockHolder[] = [];
  const ended = new AbortController();
  const look = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const { rows } = await connection.query<LockHolder>(findHoldersSql, [pid]);
      if (rows.length > 0) last = rows;
      await delay(LOOK_MS, undefined, { signal: ended.signal });
    }
  };
  const looking = look().catch(() => undefined);
  return {
    holders: () => last,
    stop: async () => {
      ended.abort();
      await looking;
    },
  };
}

/** The holders in words, such as `session 4711 (psql, role events, active, in a transaction for 12 s)`. */
export function describeHolders(holders: readonly LockHolder[]): string {
  if (holders.length === 0) return 'a session that had ended when it was looked for';
  return holders
    .map(({ pid, application, role, state, transaction_ms: ageMs }) => {
      const age = ageMs === null ? null : `in a transaction for ${Math.round(ageMs / 1_000)} s`;
      const facts = [application, role === null ? null : `role ${role}`, state, age];
      return `session ${pid} (${facts.filter((fact) => fact !== null).join(', ')})`;
    })
    .join(' and ');
}
