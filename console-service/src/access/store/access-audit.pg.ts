import { loadText } from '@placard/service-kit/files';
import type { Queryable } from '@placard/service-kit/postgres';
import { runSql } from '../../store/run-sql.js';
import type { AccessEntry } from '../domain/audit-entry.js';

const writeEntrySql = loadText(import.meta.url, './write-access-entry.sql');

/** Adds a row to `audit.access`. Error `unavailable`. */
export async function writeAccessEntry(db: Queryable, entry: AccessEntry): Promise<void> {
  const { atMs, actor, action, subject, detail } = entry;
  await runSql(db, writeEntrySql, [atMs, actor, action, subject, JSON.stringify(detail)]);
}
