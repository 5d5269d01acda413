import { loadText } from '@placard/service-kit/files';
import type { Pool, Queryable } from '@placard/service-kit/postgres';
import { inChange, runSql } from '../../store/run-sql.js';
import type { OpenConcern } from '../domain/concern-changes.js';
import type { ConcernRow } from '../domain/concern-row.js';
import type { ConcernStore } from './concerns.js';

const lockSql = loadText(import.meta.url, './lock-concerns.sql');
const readSql = loadText(import.meta.url, './read-concerns.sql');
const writeSql = loadText(import.meta.url, './write-concerns.sql');
const deleteSql = loadText(import.meta.url, './delete-concerns.sql');
const addNoticesSql = loadText(import.meta.url, './add-notices.sql');

/** The open concerns in Postgres, schema `health`. */
export function makePgConcernStore(pool: Pool): ConcernStore {
  return {
    readOpen: () => readOpen(pool),
    update: (atMs, compare) =>
      inChange(pool, async (db) => {
        await runSql(db, lockSql);
        const { changes, events } = compare(await readOpen(db));
        const written = [...changes.begun, ...changes.kept];
        await runSql(db, writeSql, [
          written.map(({ key }) => key),
          written.map(({ row }) => row.kind),
          written.map(({ beganAtMs }) => beganAtMs),
          written.map(({ seenAtMs }) => seenAtMs),
          written.map(({ row }) => JSON.stringify(row)),
        ]);
        await runSql(db, deleteSql, [changes.ended.map(({ key }) => key)]);
        await runSql(db, addNoticesSql, [events, atMs]);
        return changes;
      }),
  };
}

async function readOpen(db: Queryable): Promise<readonly OpenConcern[]> {
  const rows = await runSql<{
    readonly key: string;
    readonly began_at: number;
    readonly seen_at: number;
    readonly last_row: ConcernRow;
  }>(db, readSql);
  return rows.map(({ key, began_at: beganAtMs, seen_at: seenAtMs, last_row: row }) => ({
    key,
    beganAtMs,
    seenAtMs,
    row,
  }));
}
