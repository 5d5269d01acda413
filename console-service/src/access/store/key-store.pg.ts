import { loadText } from '@placard/service-kit/files';
import type { Pool, Queryable } from '@placard/service-kit/postgres';
import { inChange, runSql } from '../../store/run-sql.js';
import { roleText } from '../domain/role.js';
import { writeAccessEntry } from './access-audit.pg.js';
import type { HashedKey, KeyStore, KeyTransaction } from './key-store.js';
import { ownerOf, wasEver } from './owners.pg.js';
import { fromHashedKeyRow, fromKeyRow, type KeyRow } from './rows.js';

const addKeySql = loadText(import.meta.url, './add-key.sql');
const listKeysSql = loadText(import.meta.url, './list-keys.sql');
const lockAdminKeysSql = loadText(import.meta.url, './lock-admin-keys.sql');
const readKeySql = loadText(import.meta.url, './read-key.sql');
const revokeKeySql = loadText(import.meta.url, './revoke-key.sql');
const touchKeySql = loadText(import.meta.url, './touch-key.sql');

/** The API keys in Postgres: `access.keys`, and their audit in `audit.access`. */
export function makePgKeyStore(pool: Pool): KeyStore {
  return {
    read: (id) => readKey(pool, id),
    async list() {
      const rows = await runSql<KeyRow>(pool, listKeysSql);
      return rows.map(fromKeyRow);
    },
    async touch(id, atMs) {
      await runSql(pool, touchKeySql, [id, atMs]);
    },
    wasEver: (tenant) => wasEver(pool, tenant),
    ownerOf: (named) => ownerOf(pool, named),
    audit: (entry) => writeAccessEntry(pool, entry),
    inChange: (work) => inChange(pool, (db) => work(transactionOn(db))),
  };
}

function transactionOn(db: Queryable): KeyTransaction {
  return {
    async add({ key, hash }) {
      const values = [key.id, key.name, roleText(key.role), hash, key.createdAtMs, key.createdBy];
      return (await runSql(db, addKeySql, values)).length > 0;
    },
    read: (id) => readKey(db, id),
    async lockAdminIds() {
      const rows = await runSql<{ id: string }>(db, lockAdminKeysSql);
      return rows.map((row) => row.id);
    },
    async revoke(id, atMs) {
      return (await runSql(db, revokeKeySql, [id, atMs])).length > 0;
    },
    audit: (entry) => writeAccessEntry(db, entry),
  };
}

async function readKey(db: Queryable, id: string): Promise<HashedKey | undefined> {
  const [row] = await runSql<KeyRow>(db, readKeySql, [id]);
  return row === undefined ? undefined : fromHashedKeyRow(row);
}
