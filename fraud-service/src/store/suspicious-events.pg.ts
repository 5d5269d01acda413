import { appError } from '@placard/service-kit';
import { loadText } from '@placard/service-kit/files';
import { databaseFault, type Pool } from '@placard/service-kit/postgres';
import { KEPT_OF_APP_MAX, KEPT_OF_SESSION_MAX } from '../domain/suspicious-event.js';
import type { SuspiciousEvents } from './suspicious-events.js';

const insertSql = loadText(import.meta.url, './insert-suspicious-events.sql');
const pruneSql = loadText(import.meta.url, './prune-suspicious-events.sql');
const pruneHoursSql = loadText(import.meta.url, './prune-suspicious-hours.sql');
const pruneSessionsSql = loadText(import.meta.url, './prune-suspicious-sessions.sql');

/** The suspicious-event log in Postgres, schema `fraud`. */
export function makePgSuspiciousEvents(pool: Pool): SuspiciousEvents {
  const run = async (sql: string, values: readonly unknown[]): Promise<number> => {
    try {
      const result = await pool.query(sql, [...values]);
      return result.rowCount ?? 0;
    } catch (cause) {
      throw appError('unavailable', databaseFault('The suspicious-event log', cause), { cause });
    }
  };
  return {
    add: (events) =>
      run(insertSql, [
        events.map((event) => event.rule),
        events.map((event) => event.event),
        events.map((event) => event.appId),
        events.map((event) => event.placement),
        events.map((event) => event.sessionId),
        events.map((event) => event.requestId),
        events.map((event) => event.atMs),
        KEPT_OF_SESSION_MAX,
        KEPT_OF_APP_MAX,
      ]),
    async prune(bounds, deleteMax) {
      const entries = await run(pruneSql, [bounds.beforeMs, bounds.countMax, deleteMax]);
      const hours = await run(pruneHoursSql, [bounds.beforeMs, deleteMax]);
      const sessions = await run(pruneSessionsSql, [bounds.sessionsBeforeMs, deleteMax]);
      return entries + hours + sessions;
    },
  };
}
