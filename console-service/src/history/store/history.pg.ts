import { loadText } from '@placard/service-kit/files';
import type { Queryable } from '@placard/service-kit/postgres';
import type { Fields } from '../../catalog/domain/catalog-object.js';
import type { ObjectKind } from '../../catalog/domain/kinds.js';
import { runSql } from '../../store/run-sql.js';
import type { ObjectChange } from '../domain/object-change.js';
import type { History } from './history.js';

const readHistorySql = loadText(import.meta.url, './read-history.sql');
const readVersionChangesSql = loadText(import.meta.url, './read-version-changes.sql');
const readChangesSinceSql = loadText(import.meta.url, './read-changes-since.sql');
const readLaterChangesSql = loadText(import.meta.url, './read-later-changes.sql');

/** The history in Postgres, `audit.changes`, read through a pool or within a transaction. */
export function makePgHistory(db: Queryable): History {
  return {
    async read({ id, after, rowsMax }) {
      const rows = await runSql<AuditRow>(db, readHistorySql, [id, after, rowsMax + 1]);
      const shown = rows.slice(0, rowsMax);
      const last = rows.length > rowsMax ? shown.at(-1) : undefined;
      return { rows: shown.map(fromAuditRow), next: last === undefined ? null : Number(last.row_id) };
    },
    async ofVersion(version) {
      const rows = await runSql<AuditRow>(db, readVersionChangesSql, [version]);
      return rows.map(fromAuditRow);
    },
    async since(version, rowsMax) {
      const rows = await runSql<AuditRow>(db, readChangesSinceSql, [version, rowsMax]);
      return rows.map(fromAuditRow);
    },
    async laterThan(version, names) {
      const kinds = names.map(({ kind }) => kind);
      const ids = names.map(({ id }) => id);
      const rows = await runSql<AuditRow>(db, readLaterChangesSql, [version, kinds, ids]);
      return rows.map(fromAuditRow);
    },
  };
}

interface AuditRow {
  readonly row_id: bigint;
  readonly version: bigint;
  readonly changed_at: number;
  readonly actor: string;
  readonly kind: ObjectKind;
  readonly object_id: string;
  readonly action: ObjectChange['change'];
  readonly before: Fields | null;
  readonly after: Fields | null;
}

function fromAuditRow(row: AuditRow): ObjectChange {
  return {
    version: Number(row.version),
    atMs: row.changed_at,
    actor: row.actor,
    kind: row.kind,
    id: row.object_id,
    change: row.action,
    before: row.before,
    after: row.after,
  };
}
