import { readStoredRole } from '../../access/store/rows.js';
import type { User } from '../domain/user.js';
import type { SessionOfUser, StoredUser } from './user-store.js';

/** A row of `access.users`. Instants are epoch ms. */
export interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly password_hash: string;
  readonly totp_secret: Buffer | null;
  readonly is_totp_confirmed: boolean;
  readonly created_at: number;
  readonly created_by: string;
  readonly removed_at: number | null;
}

/** The same with a session of the user. */
export interface SessionRow extends UserRow {
  readonly begun_at: number;
  readonly last_used_at: number;
}

/** A user. */
export function fromUserRow(row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    role: readStoredRole(row.role),
    hasTotp: row.is_totp_confirmed,
    createdAtMs: row.created_at,
    createdBy: row.created_by,
    removedAtMs: row.removed_at,
  };
}

/** The same with its secrets. */
export function fromStoredUserRow(row: UserRow): StoredUser {
  return { user: fromUserRow(row), passwordHash: row.password_hash, totpSecret: row.totp_secret };
}

/** A session with its user. */
export function fromSessionRow(row: SessionRow): SessionOfUser {
  const session = { createdAtMs: row.begun_at, lastUsedAtMs: row.last_used_at };
  return { session, user: fromUserRow(row) };
}
