import { loadText } from '@placard/service-kit/files';
import type { Queryable } from '@placard/service-kit/postgres';
import { runSql } from '../../store/run-sql.js';
import type { AuditRow, AuditTable } from '../domain/audit-row.js';
import type { FetchAudit } from './audit.js';

const readAuditSql = loadText(import.meta.url, './read-audit.sql');

interface Row {
  readonly at_micros: bigint;
  readonly source: AuditTable;
  readonly row_id: bigint;
  readonly actor: string;
  readonly action: string;
  readonly kind: string | null;
  readonly subject: string;
  readonly version: bigint | null;
  readonly before: AuditRow['before'];
  readonly after: AuditRow['after'];
}

/** The audit in Postgres: `audit.changes` and `audit.access`. */
export function makePgAudit(db: Queryable): FetchAudit {
  return async ({ actor, what, fromMs, toMs, after, rowsMax }) => {
    const place = [after?.atMicros ?? null, after?.table ?? null, after?.number ?? null];
    const rows = await runSql<Row>(db, readAuditSql, [actor, what, fromMs, toMs, ...place, rowsMax + 1]);
    return { rows: rows.slice(0, rowsMax).map(fromRow), hasMore: rows.length > rowsMax };
  };
}

function fromRow(row: Row): AuditRow {
  return {
    atMicros: row.at_micros,
    table: row.source,
    number: row.row_id,
    actor: row.actor,
    what: row.action,
    kind: row.kind,
    subject: row.subject,
    version: row.version === null ? null : Number(row.version),
    before: row.before,
    after: row.after,
  };
}
