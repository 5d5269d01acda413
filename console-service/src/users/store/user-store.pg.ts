import { loadText } from '@placard/service-kit/files';
import type { Pool, Queryable } from '@placard/service-kit/postgres';
import { roleText } from '../../access/domain/role.js';
import { writeAccessEntry } from '../../access/store/access-audit.pg.js';
import { wasEver } from '../../access/store/owners.pg.js';
import { inChange, runSql } from '../../store/run-sql.js';
import { nameKey } from '../domain/user.js';
import { fromSessionRow, fromStoredUserRow, fromUserRow, type SessionRow, type UserRow } from './rows.js';
import type { UserStore, UserTransaction } from './user-store.js';

const addSessionSql = loadText(import.meta.url, './add-session.sql');
const addUserSql = loadText(import.meta.url, './add-user.sql');
const confirmTotpSql = loadText(import.meta.url, './confirm-totp.sql');
const countAttemptSql = loadText(import.meta.url, './count-attempt.sql');
const endSessionSql = loadText(import.meta.url, './end-session.sql');
const endSessionsOfSql = loadText(import.meta.url, './end-sessions-of.sql');
const findUserSql = loadText(import.meta.url, './find-user.sql');
const forgetAttemptsSql = loadText(import.meta.url, './forget-attempts.sql');
const listUsersSql = loadText(import.meta.url, './list-users.sql');
const readSessionSql = loadText(import.meta.url, './read-session.sql');
const readUserSql = loadText(import.meta.url, './read-user.sql');
const removeOldSql = loadText(import.meta.url, './remove-old.sql');
const removeUserSql = loadText(import.meta.url, './remove-user.sql');
const setPasswordSql = loadText(import.meta.url, './set-password.sql');
const setTotpSql = loadText(import.meta.url, './set-totp.sql');
const takeRecoveryCodeSql = loadText(import.meta.url, './take-recovery-code.sql');
const takeTotpStepSql = loadText(import.meta.url, './take-totp-step.sql');
const touchSessionSql = loadText(import.meta.url, './touch-session.sql');

/** The users in Postgres, schema `access`, and their audit in `audit.access`. */
export function makePgUserStore(pool: Pool): UserStore {
  const run = async (sql: string, values: readonly unknown[]): Promise<void> => {
    await runSql(pool, sql, values);
  };
  const hasRow = async (sql: string, values: readonly unknown[]): Promise<boolean> =>
    (await runSql(pool, sql, values)).length > 0;
  return {
    async list() {
      const rows = await runSql<UserRow>(pool, listUsersSql);
      return rows.map(fromUserRow);
    },
    async findByName(key) {
      const [row] = await runSql<UserRow>(pool, findUserSql, [key]);
      return row === undefined ? undefined : fromStoredUserRow(row);
    },
    wasEver: (tenant) => wasEver(pool, tenant),
    takeTotpStep: (id, step) => hasRow(takeTotpStepSql, [id, step]),
    takeRecoveryCode: (id, hash) => hasRow(takeRecoveryCodeSql, [id, hash]),
    addSession: (hash, { userId, passwordHash, atMs }) =>
      hasRow(addSessionSql, [hash, userId, atMs, passwordHash]),
    async readSession(hash) {
      const [row] = await runSql<SessionRow>(pool, readSessionSql, [hash]);
      return row === undefined ? undefined : fromSessionRow(row);
    },
    touchSession: (hash, atMs) => run(touchSessionSql, [hash, atMs]),
    endSession: (hash, { atMs, actor }) => run(endSessionSql, [hash, atMs, actor]),
    async countAttempt(nameHash, windowMs) {
      const [row] = await runSql<{ count: number }>(pool, countAttemptSql, [nameHash, windowMs]);
      if (row === undefined) throw new Error('count-attempt.sql returned no row');
      return row.count;
    },
    forgetAttempts: (nameHash) => run(forgetAttemptsSql, [nameHash]),
    removeBefore: (atMs) => run(removeOldSql, [atMs]),
    audit: (entry) => writeAccessEntry(pool, entry),
    inChange: (work) => inChange(pool, (db) => work(transactionOn(db))),
  };
}

function transactionOn(db: Queryable): UserTransaction {
  const run = async (sql: string, values: readonly unknown[]): Promise<void> => {
    await runSql(db, sql, values);
  };
  return {
    async add({ user, passwordHash }) {
      const { id, name, role, createdAtMs, createdBy } = user;
      const values = [id, name, nameKey(name), roleText(role), passwordHash, createdAtMs, createdBy];
      return (await runSql(db, addUserSql, values)).length > 0;
    },
    async read(id) {
      const [row] = await runSql<UserRow>(db, readUserSql, [id]);
      return row === undefined ? undefined : fromStoredUserRow(row);
    },
    setPassword: (id, passwordHash) => run(setPasswordSql, [id, passwordHash]),
    setTotp: (id, secret) => run(setTotpSql, [id, secret]),
    confirmTotp: (id, step, codeHashes) => run(confirmTotpSql, [id, step, codeHashes]),
    remove: (id, atMs) => run(removeUserSql, [id, atMs]),
    endSessionsOf: (id) => run(endSessionsOfSql, [id]),
    audit: (entry) => writeAccessEntry(db, entry),
  };
}
