import { appError } from '@placard/service-kit';
import { loadText } from '@placard/service-kit/files';
import { databaseFault, type Pool } from '@placard/service-kit/postgres';
import { KEPT_OF_APP_MAX, KEPT_OF_SESSION_MAX } from '../domain/suspicious-event.js';
import type { EventSums, SuspiciousKey } from '../domain/suspicious-report.js';
import type { SuspiciousEvents } from './suspicious-events.js';

const insertSql = loadText(import.meta.url, './insert-suspicious-events.sql');
const findSql = loadText(import.meta.url, './find-suspicious-events.sql');
const countEntriesSql = loadText(import.meta.url, './count-suspicious-entries.sql');
const countEventsSql = loadText(import.meta.url, './count-suspicious-hours.sql');
const pruneSql = loadText(import.meta.url, './prune-suspicious-events.sql');
const pruneHoursSql = loadText(import.meta.url, './prune-suspicious-hours.sql');
const pruneSessionsSql = loadText(import.meta.url, './prune-suspicious-sessions.sql');

/** The column of each key. An unknown value is an empty text. No text of a caller becomes part of a statement. */
const COLUMN_OF: Readonly<Record<SuspiciousKey, string>> = {
  rule: 'rule',
  app: 'app_id',
  placement: "coalesce(placement, '')",
  session: "coalesce(session_id, '')",
};

function splitBy(sql: string, by: readonly SuspiciousKey[]): string {
  return sql.replaceAll('/*keys*/', () => by.map((key) => COLUMN_OF[key]).join(', '));
}

interface EntryRow {
  readonly keys: readonly string[];
  readonly entries: bigint;
  readonly first_at: number;
  readonly last_at: number;
  readonly row_count: bigint;
}

/** The suspicious-event log in Postgres, schema `fraud`. */
export function makePgSuspiciousEvents(pool: Pool): SuspiciousEvents {
  const query = async <Row extends object>(sql: string, values: readonly unknown[]) => {
    try {
      return await pool.query<Row>(sql, [...values]);
    } catch (cause) {
      throw appError('unavailable', databaseFault('The suspicious-event log', cause), { cause });
    }
  };
  const run = async (sql: string, values: readonly unknown[]): Promise<number> =>
    (await query(sql, values)).rowCount ?? 0;
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
    async find({ requestId, fromMs, toMs }, countMax) {
      const values = [requestId, fromMs, toMs, countMax];
      const { rows } = await query<{ rule: string; event: string; at: number }>(findSql, values);
      return rows.map(({ rule, event, at }) => ({ rule, event, atMs: at }));
    },
    async countEntries({ by, fromMs, toMs, rule, appId }, rowsMax) {
      const values = [fromMs, toMs, rule, appId, rowsMax];
      const { rows } = await query<EntryRow>(splitBy(countEntriesSql, by), values);
      const entries = rows.map((row) => ({
        keys: row.keys,
        entries: row.entries,
        firstAtMs: row.first_at,
        lastAtMs: row.last_at,
      }));
      return { entries, rowCount: Number(rows[0]?.row_count ?? 0n) };
    },
    async countEvents({ by, fromMs, toMs, rule, appId }) {
      const values = [fromMs, toMs, rule, appId];
      return (await query<EventSums>(splitBy(countEventsSql, by), values)).rows;
    },
    async prune(bounds, deleteMax) {
      const entries = await run(pruneSql, [bounds.beforeMs, bounds.countMax, deleteMax]);
      const hours = await run(pruneHoursSql, [bounds.beforeMs, deleteMax]);
      const sessions = await run(pruneSessionsSql, [bounds.sessionsBeforeMs, deleteMax]);
      return entries + hours + sessions;
    },
  };
}
