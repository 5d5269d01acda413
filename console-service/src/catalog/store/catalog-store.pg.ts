import { loadText } from '@placard/service-kit/files';
import type { Pool } from '@placard/service-kit/postgres';
import type { AdvertiserId, PublisherId } from '@placard/service-kit/pure';
import type { OwnedAccount } from '../../accounts/domain/account-name.js';
import type { CatalogStore } from './catalog-store.js';
import { makePgHistory } from '../../history/store/history.pg.js';
import { lockCatalog } from './catalog-transaction.pg.js';
import { makePgCatalogReads } from './reads/catalog-reads.pg.js';
import { fromChangeRow, fromObjectRow, type ChangeRow, type ObjectRow } from './rows.js';
import { inChange, runSql } from '../../store/run-sql.js';

const readVersionSql = loadText(import.meta.url, './read-version.sql');
const readChangesSql = loadText(import.meta.url, './read-changes.sql');
const readAllSql = loadText(import.meta.url, './read-all.sql');
const readOwnersSql = loadText(import.meta.url, './read-owners.sql');
const readIdsSql = loadText(import.meta.url, './read-ids.sql');

/** The catalog in Postgres: schemas `catalog`, `accounts` and `audit`. */
export function makePgCatalogStore(pool: Pool): CatalogStore {
  return {
    reads: makePgCatalogReads(pool),
    history: makePgHistory(pool),
    async readVersion() {
      const [row] = await runSql<{ version: bigint }>(pool, readVersionSql);
      return Number(row?.version ?? 0);
    },
    async readChanges(afterVersion) {
      const rows = await runSql<ChangeRow & { current_version: bigint }>(pool, readChangesSql, [
        afterVersion,
      ]);
      // Because of the outer join, a result without changes is one row with the version alone.
      const changed = rows.filter((row) => (row.id as string | null) !== null);
      return { version: Number(rows[0]?.current_version ?? 0), rows: changed.map(fromChangeRow) };
    },
    async readAll() {
      const rows = await runSql<ObjectRow & { current_version: bigint }>(pool, readAllSql);
      return { version: Number(rows[0]?.current_version ?? 0), objects: rows.map(fromObjectRow) };
    },
    async readOwnerIds() {
      const [advertisers, publishers] = await Promise.all([
        runSql<{ id: AdvertiserId }>(pool, readIdsSql, ['advertiser']),
        runSql<{ id: PublisherId }>(pool, readIdsSql, ['publisher']),
      ]);
      return {
        advertiserIds: advertisers.map((row) => row.id),
        publisherIds: publishers.map((row) => row.id),
      };
    },
    async ownersOf(id) {
      const rows = await runSql<{ kind: OwnedAccount['kind'] }>(pool, readOwnersSql, [id]);
      return rows.map((row) => row.kind);
    },
    inChange: (work) => inChange(pool, async (db) => work(await lockCatalog(db))),
  };
}
