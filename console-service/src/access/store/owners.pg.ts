import { loadText } from '@placard/service-kit/files';
import type { Queryable } from '@placard/service-kit/postgres';
import { runSql } from '../../store/run-sql.js';
import type { Named, Tenant } from '../domain/permission.js';

const readOwnerOfSql = loadText(import.meta.url, './read-owner-of.sql');
const readOwnersSql = loadText(import.meta.url, '../../catalog/store/read-owners.sql');

/** Whether the catalog has or had a publisher or an advertiser. Error `unavailable`. */
export async function wasEver(db: Queryable, tenant: Tenant): Promise<boolean> {
  const rows = await runSql<{ kind: string }>(db, readOwnersSql, [tenant.id]);
  return rows.some((row) => row.kind === tenant.kind);
}

/** The owner of an object of the catalog or of a reward. Undefined: it was never there. Error `unavailable`. */
export async function ownerOf(db: Queryable, { kind, id }: Named): Promise<Tenant | undefined> {
  const [owner] = await runSql<Tenant>(db, readOwnerOfSql, [kind, id]);
  return owner;
}
