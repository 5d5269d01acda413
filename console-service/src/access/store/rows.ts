import type { Role } from '../domain/actor.js';
import type { ApiKey } from '../domain/api-key.js';
import { readRole } from '../domain/role.js';
import type { HashedKey } from './key-store.js';

/** A row of `access.keys`. Instants are epoch ms. */
export interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly hash: Buffer;
  readonly created_at: number;
  readonly created_by: string;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
}

/** An API key. */
export function fromKeyRow(row: KeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    role: readStoredRole(row.role),
    createdAtMs: row.created_at,
    createdBy: row.created_by,
    lastUsedAtMs: row.last_used_at,
    revokedAtMs: row.revoked_at,
  };
}

/** The same with its hash. */
export function fromHashedKeyRow(row: KeyRow): HashedKey {
  return { key: fromKeyRow(row), hash: row.hash };
}

/** The role that a column holds. Throws when it holds another text. */
export function readStoredRole(text: string): Role {
  const role = readRole(text);
  if (role === null) throw new Error(`a table holds the role ${text}, which is unknown`);
  return role;
}
