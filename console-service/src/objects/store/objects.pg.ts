import { loadText } from '@placard/service-kit/files';
import type { Queryable } from '@placard/service-kit/postgres';
import { parentKindOf } from '../../catalog/domain/kinds.js';
import { fromObjectRow, type ObjectRow } from '../../catalog/store/rows.js';
import { runSql } from '../../store/run-sql.js';
import type { VersionedObject } from '../domain/versioned-object.js';
import type { Objects } from './objects.js';

const listObjectsSql = loadText(import.meta.url, './list-objects.sql');
const readObjectSql = loadText(import.meta.url, './read-object.sql');

/** The objects in Postgres, `catalog.objects`. */
export function makePgObjects(db: Queryable): Objects {
  return {
    async list({ kind, rowsMax, ...page }) {
      const rows = await runSql<VersionedRow>(db, listObjectsSql, [
        kind,
        page.after,
        page.id,
        page.parentId,
        parentKindOf(kind),
        page.grandparentId,
        page.nameBegin === null ? null : `${likeText(page.nameBegin)}%`,
        page.status,
        page.isApproved === null ? null : String(page.isApproved),
        rowsMax + 1,
      ]);
      const shown = rows.slice(0, rowsMax).map(fromVersionedRow);
      const last = rows.length > rowsMax ? shown.at(-1) : undefined;
      return { rows: shown, next: last?.id ?? null };
    },
    async read(kind, id) {
      const [row] = await runSql<VersionedRow>(db, readObjectSql, [kind, id]);
      return row === undefined ? null : fromVersionedRow(row);
    },
  };
}

interface VersionedRow extends ObjectRow {
  readonly version: bigint;
}

function fromVersionedRow(row: VersionedRow): VersionedObject {
  return { ...fromObjectRow(row), version: Number(row.version) };
}

/** A text in a pattern of LIKE, in which no character is special. */
function likeText(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
