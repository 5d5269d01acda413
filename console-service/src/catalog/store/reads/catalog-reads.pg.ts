import { loadText } from '@placard/service-kit/files';
import type { Queryable } from '@placard/service-kit/postgres';
import { runSql } from '../../../store/run-sql.js';
import { parentKindOf, type ObjectKind } from '../../domain/kinds.js';
import { fromObjectRow, type ObjectRow } from '../rows.js';
import type { CatalogReads } from './catalog-reads.js';

const readEverSql = loadText(import.meta.url, './read-ever.sql');
const readBelowSql = loadText(import.meta.url, './read-below.sql');
const readSiblingsSql = loadText(import.meta.url, './read-siblings.sql');
const readFundedSql = loadText(import.meta.url, './read-funded.sql');
const readUsedUpSql = loadText(import.meta.url, './read-used-up.sql');

/** Reads in Postgres, through a pool or within a transaction. */
export function makePgCatalogReads(db: Queryable): CatalogReads {
  return {
    async readEver(names) {
      const rows = await runSql<ObjectRow & { removed: boolean }>(db, readEverSql, [
        names.map(({ kind }) => kind),
        names.map(({ id }) => id),
      ]);
      return rows.map((row) => ({ ...fromObjectRow(row), isRemoved: row.removed }));
    },
    async readBelow(parents) {
      const rows = await runSql<ObjectRow>(db, readBelowSql, [
        parents.map(({ kind }) => kind),
        parents.map(({ id }) => id),
      ]);
      return rows.map(fromObjectRow);
    },
    async readSiblings(places, rowsMax) {
      const rows = await runSql<SiblingRow>(db, readSiblingsSql, [
        places.map(({ kind }) => kind),
        places.map(({ kind }) => parentKindOf(kind)),
        places.map(({ parentId }) => parentId),
        rowsMax + 1,
      ]);
      return rows.length > rowsMax
        ? null
        : rows.map(({ kind, id, parent_id }) => ({ kind, id, parentId: parent_id }));
    },
    async readFunded(advertiserIds) {
      const rows = await runSql<{ advertiser_id: string; funded_nanos: bigint }>(db, readFundedSql, [
        advertiserIds,
      ]);
      return new Map(rows.map((row) => [row.advertiser_id, row.funded_nanos]));
    },
    async readUsedUp(advertiserIds) {
      const rows = await runSql<{ advertiser_id: string }>(db, readUsedUpSql, [advertiserIds]);
      return new Set(rows.map((row) => row.advertiser_id));
    },
  };
}

interface SiblingRow {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly parent_id: string | null;
}
