import { appError, loadText, type Pool } from '@placard/service-kit';
import type { SuspiciousEvents } from './suspicious-events.js';

const insertSql = loadText(import.meta.url, './insert-suspicious-events.sql');
const pruneSql = loadText(import.meta.url, './prune-suspicious-events.sql');

/** The suspicious-event log in Postgres, schema `fraud`. */
export function makePgSuspiciousEvents(pool: Pool): SuspiciousEvents {
  const run = async (sql: string, values: readonly unknown[]): Promise<number> => {
    try {
      const result = await pool.query(sql, [...values]);
      return result.rowCount ?? 0;
    } catch (cause) {
      throw appError('unavailable', 'The suspicious-event log cannot be reached.', { cause });
    }
  };
  return {
    async add(events) {
      await run(insertSql, [
        events.map((event) => event.rule),
        events.map((event) => event.event),
        events.map((event) => event.appId),
        events.map((event) => event.placement),
        events.map((event) => event.sessionId),
        events.map((event) => event.requestId),
        events.map((event) => event.atMs),
      ]);
    },
    prune: (bounds, deleteMax) => run(pruneSql, [bounds.beforeMs, bounds.countMax, deleteMax]),
  };
}
